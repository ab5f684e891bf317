import { isStatusError } from "@listwatch/client";
import { describeDuration, describeError } from "@listwatch/core-fifo/base";
import type { UnsyncedReason } from "../delivery/not-synced-error.ts";
import type { InformerProblem, InformerStatus } from "./informer-status.ts";

/** What an informer has done so far. */
export interface Life {
  /** When it was started; `undefined` before. */
  readonly startMs: number | undefined;
  readonly nowMs: number;
  /** What its source does, if it says so. */
  readonly activity: string | undefined;
}

/** Why an informer that has not ended has not synced, and since when. */
export function explainUnsynced(
  { phase, problem, source }: Pick<InformerStatus, "phase" | "problem" | "source">,
  { activity, nowMs, startMs }: Life,
): UnsyncedReason {
  if (startMs === undefined || phase === "created") return { reason: "not started" };
  if (problem !== undefined) {
    const { error } = problem;
    return { reason: `${describeFailure(error)} (${describeAttempts(problem, nowMs)})`, error };
  }
  const doing = activity ?? (source && doings[source.phase]) ?? phase;
  return { reason: `${doing}, ${describeDuration(nowMs - startMs)} after the start` };
}

const doings: Readonly<Record<NonNullable<InformerStatus["source"]>["phase"], string>> = {
  idle: "starting",
  listing: "reading the list",
  streamingList: "reading the streamed list",
  watching: "applying the list",
  waiting: "waiting before the next attempt",
  stopped: "stopping",
};

/** An error for the reader, with the code and reason of a Status in front. */
export function describeFailure(error: unknown): string {
  if (!isStatusError(error) || error.httpCode === 0) return describeError(error);
  const head = error.reason === "" ? String(error.httpCode) : `${error.httpCode} ${error.reason}`;
  return `${head}: ${error.message}`;
}

function describeAttempts({ attempts, sinceMs }: InformerProblem, nowMs: number): string {
  const duration = describeDuration(nowMs - sinceMs);
  return attempts === 1 ? `1 attempt, ${duration} ago` : `${attempts} attempts in ${duration}`;
}
