import type { Failure } from "../framework/unit.ts";
import { canonical, isRecord } from "../framework/values.ts";
import type { SeenRequest } from "./scripted-server.ts";

/** A step of a script. */
export interface ScriptStep {
  readonly do: string;
  readonly expect: Readonly<Record<string, unknown>>;
  readonly [argument: string]: unknown;
}

/** The steps of a case. */
export function scriptOf(script: unknown): readonly ScriptStep[] {
  if (Array.isArray(script) && script.every(isScriptStep)) return script;
  throw new TypeError("Couldn't read the case: expected a script");
}

function isScriptStep(value: unknown): value is ScriptStep {
  return isRecord(value) && typeof value["do"] === "string" && isRecord(value["expect"]);
}

/** Whether requests are as expected: the same parameters, at the same time or within its bounds. */
export function requestsDiffer(
  expected: unknown,
  got: readonly SeenRequest[],
  stepStartMs: number,
): boolean {
  const wanted: readonly unknown[] = Array.isArray(expected) ? expected : [];
  return (
    wanted.length !== got.length ||
    got.some((request, index) => !isAsRecorded(wanted[index], request, stepStartMs))
  );
}

function isAsRecorded(expected: unknown, request: SeenRequest, stepStartMs: number): boolean {
  if (!isRecord(expected) || !isRecord(expected["options"])) return false;
  if (expected["n"] !== request.n || expected["kind"] !== request.kind) return false;
  const atMs = request.atMs - stepStartMs;
  const { atMs: wantedMs, betweenMs } = expected;
  if (betweenMs === undefined ? atMs !== wantedMs : !isWithin(betweenMs, atMs)) return false;
  const { timeoutSeconds: bounds, ...wanted } = expected["options"];
  const { timeoutSeconds, ...options } = request.options;
  const timeoutIsRight =
    bounds === undefined
      ? timeoutSeconds === undefined
      : Number.isInteger(timeoutSeconds) && isWithin(bounds, timeoutSeconds);
  const sent = Object.fromEntries(
    Object.entries({ resourceVersion: "", ...options }).filter(
      ([name, value]) => name === "resourceVersion" || (value !== "" && value !== false),
    ),
  );
  return timeoutIsRight && canonical(wanted) === canonical(sent);
}

/** Bounds are [low, high), and a single point if they are equal. */
function isWithin(bounds: unknown, value: unknown): boolean {
  if (!Array.isArray(bounds) || typeof value !== "number") return false;
  const [low, high]: readonly unknown[] = bounds;
  if (typeof low !== "number" || typeof high !== "number") return false;
  return value >= low && (value < high || (low === high && value === low));
}

/** A failure of a step, for the report. */
export function mismatch(
  index: number,
  step: ScriptStep,
  member: string,
  expected: unknown,
  got: unknown,
): Failure {
  return { step: index, op: `${step.do}, ${member}`, expected: expected ?? null, got: got ?? null };
}
