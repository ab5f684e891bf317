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

/** Compiles and evaluates the rules of definitions (`x-kubernetes-validations`). */
export interface RuleEngine {
  /** Reports the rules of a schema that do not compile. */
  check(schema: JsonSchema, path: string): readonly FieldError[];
  /** Evaluates the rules of a schema for a value. */
  evaluate(value: unknown, schema: JsonSchema, options: RuleOptions): RuleOutcome;
}
