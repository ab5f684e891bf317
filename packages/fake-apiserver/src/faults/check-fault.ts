import {
  ControlInputError,
  demand,
  demandInteger,
  demandMilliseconds,
} from "./inputs/control-input-error.ts";
import type { BodyPosition, FaultAction, IllegalAction } from "./fault-action.ts";
import type { FaultRule, FaultTiming } from "./control/fault-rules.ts";
import type { StatusFault } from "./inputs/status-fault.ts";
import type { CutPosition, StreamShape } from "./inputs/stream-shape.ts";

// Fetch standard, "null body status" without 101 and 103, which a Response cannot have.
const statusesWithoutBody: readonly number[] = [204, 205, 304];

/** @throws {@link ControlInputError} for a rule that could never fire, or fire wrongly */
export function checkRule({ when, times = 1 }: FaultRule<unknown>): void {
  demand(
    times === Infinity || (Number.isSafeInteger(times) && times > 0),
    "times",
    "an integer from 1, or Infinity",
    times,
  );
  if (when !== undefined) checkTiming(when);
}

function checkTiming({ nth, skip = 0, probability = 1, condition }: FaultTiming): void {
  for (const number of [nth ?? 1].flat()) demandInteger(number, 1, "when.nth");
  demandInteger(skip, 0, "when.skip");
  demand(
    probability >= 0 && probability <= 1,
    "when.probability",
    "a number from 0 to 1",
    probability,
  );
  demand(
    condition === undefined || typeof condition === "function",
    "when.condition",
    "a function",
    condition,
  );
}

/** @throws {@link ControlInputError} for an action that is unknown or cannot be carried out */
export function checkFaultAction(action: FaultAction): void {
  switch (action.type) {
    case "reset":
    case "blackhole":
    case "compact":
      return;
    case "status":
      return checkStatus(action.status, "action.status");
    case "respond":
      return checkRespond(action);
    case "commitThenFail":
      if (action.with !== undefined && action.with !== "reset") {
        checkStatus(action.with, "action.with");
      }
      return;
    case "latency":
      return checkLatency(action.ms);
    case "headers":
      return checkHeaders(action.set, "action.set");
    case "delayEvents":
      return demandMilliseconds(action.ms, "action.ms");
    case "split":
      return checkShape(action.shape);
    case "slow":
      checkPace(action.bytesPerSecond);
      return checkPosition(action.after);
    case "truncate":
      checkCut(action.at);
      return checkPosition(action.after);
    case "errorEvent":
      checkStatus(action.status, "action.status");
      return checkPosition(action.after);
    case "end":
    case "resetBody":
    case "stall":
      return checkPosition(action.after);
    default:
      throw unknownAction(action);
  }
}

/** @throws {@link ControlInputError} for an action that is unknown or cannot be carried out */
export function checkIllegalAction(action: IllegalAction): void {
  switch (action.type) {
    case "regressRevision":
      return demandInteger(action.by, 0, "action.by");
    case "duplicateEvents":
    case "reorderEvents":
    case "dropEvents":
    case "earlyInitialEnd":
      return;
    default:
      throw unknownAction(action);
  }
}

function unknownAction(action: never): ControlInputError {
  return new ControlInputError(
    `Expected the type of a fault in action.type, got ${JSON.stringify(action)}`,
  );
}

/** @throws {@link ControlInputError} for a Status no answer can have */
export function checkStatus(status: StatusFault, field: string): void {
  const { code, retryAfterSeconds = 0 } = status;
  demand(
    isAnswerStatus(code) && !statusesWithoutBody.includes(code),
    `${field}.code`,
    "the code of an answer with a body, 200 to 599",
    code,
  );
  demandInteger(retryAfterSeconds, 0, `${field}.retryAfterSeconds`);
}

function checkRespond(action: FaultAction & { readonly type: "respond" }): void {
  const { status, body = "", headers = {} } = action;
  demand(isAnswerStatus(status), "action.status", "an integer from 200 to 599", status);
  demand(
    body === "" || !statusesWithoutBody.includes(status),
    "action.body",
    `no body for the status ${status}`,
    body,
  );
  checkHeaders(headers, "action.headers");
}

/** A Response takes no other (Fetch standard, "initialize a response"). */
function isAnswerStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 599;
}

function checkHeaders(headers: Readonly<Record<string, string>>, field: string): void {
  const checked = new Headers();
  try {
    for (const [name, value] of Object.entries(headers)) checked.set(name, value);
  } catch (error) {
    const message = `Expected names and values of headers in ${field}, got ${JSON.stringify(headers)}`;
    throw new ControlInputError(message, { cause: error });
  }
}

function checkLatency(ms: number | readonly [number, number]): void {
  const [least, most] = typeof ms === "number" ? [ms, ms] : ms;
  demandMilliseconds(least, "action.ms");
  demandMilliseconds(most, "action.ms");
  demand(least <= most, "action.ms", "the smaller number first", ms);
}

/** @throws {@link ControlInputError} for a pace at which nothing would ever arrive */
export function checkPace(bytesPerSecond: number): void {
  demand(bytesPerSecond > 0, "bytesPerSecond", "a number above 0", bytesPerSecond);
}

/** @throws {@link ControlInputError} for chunks that cannot be */
export function checkShape({ bytes = 1, events = 1, padTo = 0 }: StreamShape): void {
  demandInteger(bytes, 1, "shape.bytes");
  demandInteger(events, 1, "shape.events");
  demandInteger(padTo, 0, "shape.padTo");
}

/** @throws {@link ControlInputError} for a place that is nowhere */
export function checkCut({ afterBytes = 0, inside = "line", then = "end" }: CutPosition): void {
  demandInteger(afterBytes, 0, "at.afterBytes");
  demand(["line", "character"].includes(inside), "at.inside", `"line" or "character"`, inside);
  demand(["end", "reset"].includes(then), "at.then", `"end" or "reset"`, then);
}

function checkPosition({ events = 0, bytes = 0 }: BodyPosition = {}): void {
  demandInteger(events, 0, "action.after.events");
  demandInteger(bytes, 0, "action.after.bytes");
}
