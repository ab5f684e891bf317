import type { JsonObject } from "@listwatch/core-fifo/base";
import { text } from "../base/read-fields.ts";
import { Checker } from "./checker.ts";
import { compile, type Compiled } from "./compile.ts";
import { convertUntyped } from "./convert.ts";
import { BudgetExceeded, CelFailure } from "./failures.ts";
import { ObjectValue } from "./values.ts";

/** An expression of a policy that has no value. */
export class UntypedFailure extends Error {
  override readonly name = "UntypedFailure";
}

/** Evaluates the expressions of a policy for one request. */
export interface UntypedEvaluation {
  /**
   * Evaluates an expression; undefined if it cannot be evaluated here.
   *
   * @throws {UntypedFailure} for an error of the expression
   */
  evaluate(expression: string): unknown;
  /** Evaluates an expression for a message; undefined if it has no usable value. */
  message(expression: string): string | undefined;
}

const checker = new Checker().withVariables({
  object: "dyn",
  oldObject: "dyn",
  request: "dyn",
  params: "dyn",
  namespaceObject: "dyn",
  authorizer: "dyn",
  variables: "dyn",
});

/** Expressions of stored policies, oldest first. */
const compiled = new Map<string, Compiled>();
const mostCompiled = 1000;

function compileOnce(expression: string): Compiled {
  const known = compiled.get(expression) ?? compile(expression, checker);
  compiled.set(expression, known);
  const [oldest] = compiled.keys();
  if (compiled.size > mostCompiled && oldest !== undefined) compiled.delete(oldest);
  return known;
}

/**
 * Creates the evaluation of a policy, whose objects have no declared types.
 *
 * @param given JSON values of the variables of the policy
 * @param definitions `spec.variables`, in order: each sees those before it
 * @param warnings collects texts for Warning headers
 */
export function compileUntyped(
  given: JsonObject,
  definitions: readonly JsonObject[],
  warnings: string[],
): UntypedEvaluation {
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) variables[name] = convertUntyped(value);
  const evaluate = (expression: string): unknown => {
    const { problem, program, ...rest } = compileOnce(expression);
    if (program === undefined) {
      throw new UntypedFailure(`expression '${expression}' resulted in error: ${problem}`);
    }
    if ("variables" in rest && rest.variables.has("authorizer")) {
      warnings.push(`cannot evaluate here, so the expression is skipped: ${expression}`);
      return undefined;
    }
    try {
      return program.evaluate(variables).value;
    } catch (error) {
      if (!(error instanceof CelFailure) && !(error instanceof BudgetExceeded)) throw error;
      throw new UntypedFailure(`expression '${expression}' resulted in error: ${error.message}`);
    }
  };
  const known = new Map<string, unknown>();
  variables["variables"] = new ObjectValue(
    definitions.map((definition) => text(definition, "name")),
    (name) => {
      const value = known.get(name);
      if (value instanceof UntypedFailure) throw new CelFailure(value.message);
      return value;
    },
  );
  for (const definition of definitions) {
    try {
      known.set(text(definition, "name"), evaluate(text(definition, "expression")));
    } catch (error) {
      if (!(error instanceof UntypedFailure)) throw error;
      known.set(text(definition, "name"), error);
    }
  }
  return { evaluate, message: (expression) => messageOf(expression, evaluate) };
}

function messageOf(
  expression: string,
  evaluate: (expression: string) => unknown,
): string | undefined {
  if (expression === "") return undefined;
  try {
    const value = evaluate(expression);
    if (typeof value !== "string" || /[\n\r]/.test(value)) return undefined;
    return value.trim() === "" ? undefined : value.trim();
  } catch (error) {
    if (!(error instanceof UntypedFailure)) throw error;
    return undefined;
  }
}
