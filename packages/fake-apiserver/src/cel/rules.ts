import type { FieldError } from "../api/errors.ts";
import type { JsonSchema } from "../api/json-schema.ts";

/** Options of {@link RuleEngine.evaluate}. */
export interface RuleOptions {
  /** Path of the value; "" for a whole object. */
  readonly path: string;
  /** Whether the value is an object of Kubernetes, whose type and name rules may read. */
  readonly isRoot: boolean;
  /** The value before an update. */
  readonly old?: unknown;
  /** Whether failures of unchanged parts only lead to warnings. */
  readonly ratchets: boolean;
}

/** The outcome of all rules of an object. */
export interface RuleOutcome {
  readonly errors: readonly FieldError[];
  /** Failures of unchanged parts. */
  readonly warnings: readonly string[];
}

/** The variables and types of an expression in a policy or a match condition. */
export interface ExpressionScope {
  /** Whether `params` is declared. */
  readonly hasParams: boolean;
  /** Whether `authorizer` is declared. */
  readonly hasAuthorizer: boolean;
  /** Whether `Object` and `JSONPatch` are declared. @default false */
  readonly hasPatchTypes?: boolean | undefined;
  /** Types of the fields of `variables`, by their names. @default `variables` is not declared */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

/** Types that an expression may have, in the words of the checker. @default any type */
export type ResultTypes = readonly string[] | undefined;

/** Compiles expressions of policies and match conditions when they are written. */
export interface ExpressionChecker {
  /** Returns the reason why an expression is refused, in the words of a real server. */
  problemOf(expression: string, scope: ExpressionScope, results: ResultTypes): string | undefined;
  /** Returns the type of a variable, for the expressions after it. */
  typeOf(expression: string, scope: ExpressionScope): string;
}

/** Compiles and evaluates the rules of definitions (`x-kubernetes-validations`). */
export interface RuleEngine {
  /** Reports the rules of a schema that do not compile. */
  check(schema: JsonSchema, path: string): readonly FieldError[];
  /** Evaluates the rules of a schema for a value. */
  evaluate(value: unknown, schema: JsonSchema, options: RuleOptions): RuleOutcome;
}
