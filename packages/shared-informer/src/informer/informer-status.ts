import { isNetworkError, isStatusError, isTooManyRequests } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import {
  describeDuration,
  describeError,
  hasCode,
  isInstance,
  recordOf,
  stringOf,
} from "@listwatch/core-fifo/base";
import type { ReflectorStatus } from "@listwatch/reflector";
import { TransactionError } from "@listwatch/store-indexer";
import type { Unindexed } from "../cache/informer-cache.ts";
import type { UnsyncedReason } from "../delivery/wait-for-cache-sync.ts";

/** Options of {@link Informer.isFresh}. */
export interface FreshOptions {
  /** Greatest age of the newest message from the server, in milliseconds. */
  readonly withinMs: number;
}

/** Phase of an informer. `stopping` lasts until the last callbacks have returned. */
export type InformerPhase = "created" | "running" | "stopping" | "stopped";

/**
 * Reason why list and watch fail: credentials that the program cannot obtain, such as those of a
 * failing exec plugin (`credentials`), missing or wrong credentials (401), missing rights (403), a
 * resource that is not served (404), a request that the server rejects (400, 405, 406, 413, 415,
 * 422), such as one with a wrong selector, an unreachable server, an untrusted certificate, an
 * expired state (410), an overloaded server (429), an internal error of the server, or another
 * one.
 *
 * Reasons while they work: objects whose current state is not in the cache because their transform,
 * the key function or the filter of a view throws, or because several informers of a view have
 * their key, or that are in it because `keep` throws (`unusableObject`), and objects that are
 * absent from an index because its function throws (`indexFunction`).
 */
export type ProblemReason =
  | "credentials"
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "badRequest"
  | "unreachable"
  | "untrustedCertificate"
  | "expired"
  | "overloaded"
  | "serverError"
  | "unusableObject"
  | "indexFunction"
  | "other";

/** Reason why an informer is not up to date. */
export interface InformerProblem {
  /** Kind of the problem, for code that decides by it. */
  readonly reason: ProblemReason;
  /** Error of the last failure; if objects are the problem, of the first of them. */
  readonly error: unknown;
  /** Number of failures in a row, or of objects. */
  readonly attempts: number;
  /** Time of the first failure. */
  readonly sinceMs: number;
  /** Time of the next attempt, if the informer waits for it. */
  readonly retryMs: number | undefined;
  /** Keys of the first ten objects, if the problem concerns objects. */
  readonly keys?: readonly string[] | undefined;
}

/** State of a handler. */
export interface HandlerStatus {
  /** Name of the handler. */
  readonly name: string;
  /** Number of waiting events, without the one in progress. */
  readonly backlog: number;
  /**
   * Start of the callback in progress, in milliseconds since 1970. `undefined` if the handler has
   * not returned a pending promise. A callback that never ends is visible here.
   */
  readonly callbackSinceMs?: number | undefined;
}

/** State of a source. */
export interface SourceStatus {
  /** Details about list and watch. `undefined` before the start, and for a view. */
  readonly source: ReflectorStatus | undefined;
  /** Reason why the source is not up to date, otherwise `undefined`. */
  readonly problem: InformerProblem | undefined;
  /** Number of changes that are received and not in the cache yet. */
  readonly queuedDeltas: number;
  /** The last time at which the cache was known to be complete. `undefined` if it is behind. */
  readonly freshAsOfMs: number | undefined;
  /**
   * The same, if the silence of an open watch means that nothing changed. As long as the watch may
   * be silent (90 s by default) this is the current time.
   *
   * @default freshAsOfMs
   */
  readonly liveAsOfMs?: number | undefined;
}

/** State of an informer. All times are milliseconds since 1970. */
export interface InformerStatus extends SourceStatus {
  /** Name of the informer. */
  readonly name: string;
  /** Current phase of the informer. */
  readonly phase: InformerPhase;
  /** Whether the cache has had the whole collection. Never becomes false again. */
  readonly hasSynced: boolean;
  /** The resourceVersion up to which the cache is complete; `""` at first. */
  readonly resourceVersion: string;
  /** State of each handler, in the order in which they were added. */
  readonly handlers: readonly HandlerStatus[];
}

/** Describes the failures of a reflector, if it has any. */
export function problemOf(source: ReflectorStatus): InformerProblem | undefined {
  const { attempts, failingSinceMs, lastFailure, waitingUntilMs } = source;
  if (attempts === 0 || lastFailure === undefined) return undefined;
  const { atMs, error } = lastFailure;
  return {
    reason: reasonOf(error),
    error,
    attempts,
    sinceMs: failingSinceMs ?? atMs,
    retryMs: waitingUntilMs,
  };
}

/** Whether the server rejects the request itself, so that a retry does not help. */
function isBadRequest(error: unknown): boolean {
  return isStatusError(error) && [400, 405, 406, 413, 415, 422].includes(error.httpCode);
}

function reasonOf(error: unknown): ProblemReason {
  if (isNetworkError(error, "untrusted-certificate")) return "untrustedCertificate";
  if (isNetworkError(error)) return "unreachable";
  if (hasCode(error, "LW_CREDENTIALS")) return "credentials";
  if (!isStatusError(error)) return "other";
  if (isStatusError(error, "Unauthorized")) return "unauthorized";
  if (isStatusError(error, "Forbidden")) return "forbidden";
  if (isStatusError(error, "NotFound")) return "notFound";
  if (isExpired(error)) return "expired";
  if (isBadRequest(error)) return "badRequest";
  if (isTooManyRequests(error)) return "overloaded";
  return error.httpCode >= 500 ? "serverError" : "other";
}

/** Enough keys to see a common pattern. */
const maxKeys = 10;

/** Describes the changes that could not be applied, until a list repairs them. */
export function problemOfLoss(
  loss: { readonly error: unknown; readonly sinceMs: number } | undefined,
): InformerProblem | undefined {
  if (loss === undefined) return undefined;
  const { error, sinceMs } = loss;
  const attempts = isInstance(error, TransactionError) ? error.errors.length : 1;
  return { reason: "unusableObject", error, attempts, sinceMs, retryMs: undefined };
}

/** Describes the objects that are absent from an index, by the key of the first one. */
export function problemOfIndexes({
  count,
  errors,
  sinceMs,
}: Unindexed): InformerProblem | undefined {
  if (count === 0) return undefined;
  const [error = new Error(`Cannot compute an index of ${count} objects`)] = errors;
  const keys = [...new Set(errors.map(({ key }) => key))].slice(0, maxKeys);
  return { reason: "indexFunction", error, attempts: count, sinceMs, retryMs: undefined, keys };
}

/** Time of the last sign of a working server: a message, or an accepted watch. */
export function lastEvidenceMs(status: ReflectorStatus): number | undefined {
  const { attempts, lastBookmarkMs = 0, lastEventMs = 0, lastListMs = 0, lastWatchMs = 0 } = status;
  if (status.phase !== "watching" || attempts > 0) return undefined;
  return Math.max(lastBookmarkMs, lastEventMs, lastListMs, lastWatchMs);
}

/** The current time while the watch is open and its silence is normal. */
export function liveAsOfMs(
  freshAsOfMs: number,
  source: ReflectorStatus | undefined,
  nowMs: number,
): number {
  const { silentUntilMs = 0 } = source ?? {};
  return nowMs <= silentUntilMs ? nowMs : freshAsOfMs;
}

/** Progress of an informer. */
interface Life {
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
  const text = describeError(error);
  if (!hasCode(error, "LW_STATUS")) return text;
  // By shape: an informer of a stream does not need the client.
  const { httpCode, reason } = recordOf(error);
  if (typeof httpCode !== "number" || httpCode === 0) return text;
  return [httpCode, stringOf(reason)].filter((part) => part !== "").join(" ") + `: ${text}`;
}

function describeAttempts({ attempts, sinceMs }: InformerProblem, nowMs: number): string {
  const duration = describeDuration(nowMs - sinceMs);
  return attempts === 1 ? `1 attempt, ${duration} ago` : `${attempts} attempts in ${duration}`;
}
