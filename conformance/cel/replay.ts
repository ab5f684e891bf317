import { readFileSync } from "node:fs";
import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import { loadRuleEngine, ruleEngine } from "../../packages/fake-apiserver/src/cel/rule-engine.ts";
import type { RuleEngine } from "../../packages/fake-apiserver/src/cel/rules.ts";
import { isJsonSchema } from "../../packages/fake-apiserver/src/schema/schema-types.ts";

/** An error as the server's validator answered. */
interface RecordedError {
  readonly reason: string;
  readonly field: string;
  readonly text: string;
}

/** Rules, a value, and the answer of the server's validator. */
export interface CelVector {
  readonly id: string;
  readonly group: string;
  readonly schema: unknown;
  readonly isRoot?: boolean;
  readonly object: unknown;
  readonly oldObject?: unknown;
  readonly ratchet?: boolean;
  readonly errors?: readonly RecordedError[];
  readonly warnings?: readonly string[];
  readonly compile?: readonly CompiledVector[];
}

/** The outcome of the compiler for a rule. */
interface CompiledVector {
  readonly error?: string;
  readonly messageExpressionError?: string;
}

/** How our answer compares with the recorded one. */
export interface CelOutcome {
  readonly id: string;
  readonly group: string;
  /** Whether reasons and fields are the same. */
  readonly verdict: "right" | "wrong" | "not evaluated";
  /** Whether the texts are the same as well. */
  readonly hasSameTexts: boolean;
}

/** Reads the vectors in a file. */
export function readVectors(file: URL): readonly CelVector[] {
  const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: readonly CelVector[] };
  return vectors;
}

/** Replays vectors against the fake server's rules; those of costs alone are left out. */
export async function replayVectors(vectors: readonly CelVector[]): Promise<readonly CelOutcome[]> {
  await loadRuleEngine();
  const engine = ruleEngine();
  if (engine === undefined) throw new Error("Cannot replay: the evaluator is not loaded");
  return vectors
    .filter(({ group }) => group !== "cost")
    .map((vector) =>
      vector.group === "compile" ? replayCompile(engine, vector) : replayRules(engine, vector),
    );
}

function replayRules(engine: RuleEngine, vector: CelVector): CelOutcome {
  const { errors = [], group, id, isRoot = false, ratchet = false, warnings = [] } = vector;
  const schema = decoded(vector.schema);
  if (!isJsonSchema(schema)) throw new Error(`Cannot replay ${id}: it has no schema`);
  const old = decoded(vector.oldObject);
  const options = { path: "root", isRoot, old, ratchets: ratchet };
  const outcome = engine.evaluate(decoded(vector.object), schema, options);
  const isRefused = outcome.warnings.some((text) => text.includes("cannot evaluate here"));
  const places = (list: readonly { reason: string; field: string }[]): string[] =>
    list.map(({ reason, field }) => `${reason} ${field}`).toSorted();
  const texts = outcome.errors.map(({ field, message }) => `${field}: ${message}`);
  return {
    id,
    group,
    verdict: isRefused
      ? "not evaluated"
      : verdictOf(isSame(places(errors), places(outcome.errors))),
    hasSameTexts:
      isSame(errors.map(({ text }) => text).toSorted(), texts.toSorted()) &&
      isSame(warnings.toSorted(), outcome.warnings.toSorted()),
  };
}

function replayCompile(
  engine: RuleEngine,
  { compile = [], group, id, schema }: CelVector,
): CelOutcome {
  if (!isJsonSchema(schema)) throw new Error(`Cannot replay ${id}: it has no schema`);
  const expected = compile.flatMap(({ error, messageExpressionError }, index) => [
    ...(error === undefined ? [] : [{ field: `[${index}].rule`, text: error }]),
    ...(messageExpressionError === undefined
      ? []
      : [{ field: `[${index}].messageExpression`, text: messageExpressionError }]),
  ]);
  const found = engine.check(schema, "").map(({ field, message }) => ({
    field: field.replace(".x-kubernetes-validations", ""),
    text: message,
  }));
  const fields = (list: readonly { field: string }[]): string[] =>
    list.map(({ field }) => field).toSorted();
  return {
    id,
    group,
    verdict: verdictOf(isSame(fields(expected), fields(found))),
    hasSameTexts:
      expected.length === found.length &&
      expected.every(({ text }) => found.some((one) => one.text.endsWith(text))),
  };
}

function verdictOf(isRight: boolean): "right" | "wrong" {
  return isRight ? "right" : "wrong";
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one, index) => one === right[index]);
}

/** Reads numbers that JSON or JavaScript would change: `{"$int": "…"}`, `{"$double": "…"}`. */
function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (!isRecord(value)) return value;
  const { $double: double, $int: int } = recordOf({
    $double: undefined,
    $int: undefined,
    ...value,
  });
  if (typeof double === "string") return Number(double);
  if (typeof int === "string") return BigInt(int);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, decoded(one)]));
}
