import { isStatusError } from "@listwatch/client";
import { describeDuration, describeError } from "@listwatch/core-fifo/base";
import type { UnsyncedReason } from "../delivery/wait-for-cache-sync.ts";
import type { InformerProblem, InformerStatus } from "./informer-status.ts";

/** Progress of an informer. */
export interface Life {
  /** Time of the start, `undefined` before it. */
  readonly startMs: number | undefined;
  readonly nowMs: number;
  /** Current activity of the source, if it reports one. */
  readonly activity: string | undefined;
}

/** Explains why a running informer has not synced, and since when. */
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

/** Formats an error for people, with the code and the reason of a Status in front. */
export function describeFailure(error: unknown): string {
  if (!isStatusError(error) || error.httpCode === 0) return describeError(error);
  const head = error.reason === "" ? String(error.httpCode) : `${error.httpCode} ${error.reason}`;
  return `${head}: ${error.message}`;
}

function describeAttempts({ attempts, sinceMs }: InformerProblem, nowMs: number): string {
  const duration = describeDuration(nowMs - sinceMs);
  return attempts === 1 ? `1 attempt, ${duration} ago` : `${attempts} attempts in ${duration}`;
}
