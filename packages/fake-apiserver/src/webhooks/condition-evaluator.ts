import { isRecord } from "@listwatch/core-fifo/base";
import { Checker } from "../cel/checker.ts";
import { compile, type Compiled } from "../cel/compile.ts";
import type { ConditionEvaluator } from "./match-conditions.ts";

// Objects have no declared type: k8s.io/apiserver pkg/admission/plugin/cel/compile.go.
const variableTypes = { object: "dyn", oldObject: "dyn", request: "dyn" };

let checker: Checker | undefined;
const known = new Map<string, Compiled>();
// Expressions of configurations that have been replaced must not add up.
const mostKnown = 1000;

/** Evaluates the match conditions of webhooks. */
export const conditionEvaluator: ConditionEvaluator = {
  holds(expression, variables) {
    const { problem, program } = compiled(expression);
    if (problem !== undefined) throw new Error(problem);
    const values = Object.entries(variables).map(([name, value]) => [name, toValue(value)]);
    const { value } = program.evaluate(Object.fromEntries(values));
    if (typeof value === "boolean") return value;
    throw new Error("cel expression does not evaluate to bool");
  },
};

function compiled(expression: string): Compiled {
  const found = known.get(expression);
  if (found !== undefined) return found;
  checker ??= new Checker().withVariables(variableTypes);
  const made = compile(expression, checker);
  if (known.size >= mostKnown) known.clear();
  known.set(expression, made);
  return made;
}

/** Converts JSON to values of the language. */
function toValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toValue);
  if (isRecord(value)) {
    return new Map(Object.entries(value).map(([key, member]) => [key, toValue(member)]));
  }
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}
