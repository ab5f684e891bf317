import { isNetworkError, isStatusError, isTooManyRequests } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import type { ReflectorStatus } from "@listwatch/reflector";

/** A phase of an informer's life; `stopping` lasts until the last callbacks have returned. */
export type InformerPhase = "created" | "running" | "stopping" | "stopped";

/**
 * Why list and watch fail: credentials that are missing or wrong (401), rights that are missing
 * (403), a resource that is not served (404), a request that the server does not understand or take
 * (400, 405, 406, 413, 415, 422), such as one with a wrong selector, a server that cannot be
 * reached, one whose certificate is not trusted, one that no longer has the state that is asked for
 * (410), one that is overloaded (429) or fails itself, or something else.
 *
 * While they work: objects that are not in the cache as they are, because their transform, the key
 * function or the filter of a view throws, or that are in it because `keep` throws
 * (`unusableObject`), or objects that are in the cache and absent from an index, because its
 * function throws (`indexFunction`).
 */
export type ProblemReason =
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

/** What keeps an informer from being up to date. */
export interface InformerProblem {
  readonly reason: ProblemReason;
  readonly error: unknown;
  /** Failures in a row; of objects, how many there are. */
  readonly attempts: number;
  /** When the first of them was. */
  readonly sinceMs: number;
  /** When the next attempt is, if it waits. */
  readonly retryMs: number | undefined;
  /** The keys of the first ten objects that the problem is about, if it is about objects. */
  readonly keys?: readonly string[] | undefined;
}

/** How a handler keeps up. */
export interface HandlerStatus {
  readonly name: string;
  /** Events that wait, without the one in progress. */
  readonly backlog: number;
  /**
   * When the callback in progress began, in milliseconds since 1970; `undefined` while the handler
   * has returned no promise that is pending. One that never ends shows here.
   */
  readonly callbackSinceMs?: number | undefined;
}

/** The state of what keeps a cache up to date. */
export interface SourceStatus {
  /** How list and watch go, in detail; `undefined` before the start, and for a view. */
  readonly source: ReflectorStatus | undefined;
  /** What keeps it from being up to date; `undefined` when all is well. */
  readonly problem: InformerProblem | undefined;
  /** Changes that are received and not yet in the cache. */
  readonly queuedDeltas: number;
  /** The last time at which the cache was known to show everything; `undefined` if it is behind. */
  readonly freshAsOfMs: number | undefined;
  /**
   * The same, with the silence of an open watch taken for no change while it may be silent (90 s by
   * default): then it is the present.
   *
   * @default freshAsOfMs
   */
  readonly liveAsOfMs?: number | undefined;
}

/** The state of an informer. All times are milliseconds since 1970. */
export interface InformerStatus extends SourceStatus {
  readonly name: string;
  readonly phase: InformerPhase;
  readonly hasSynced: boolean;
  /** The resourceVersion up to which the cache is complete; `""` at first. */
  readonly resourceVersion: string;
  readonly handlers: readonly HandlerStatus[];
}

/** The failures of a reflector as a problem, if it has any. */
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

/** Whether the server says that the request itself is wrong: no later attempt fares better. */
function isBadRequest(error: unknown): boolean {
  return isStatusError(error) && [400, 405, 406, 413, 415, 422].includes(error.httpCode);
}

function reasonOf(error: unknown): ProblemReason {
  if (isNetworkError(error, "untrusted-certificate")) return "untrustedCertificate";
  if (isNetworkError(error)) return "unreachable";
  if (!isStatusError(error)) return "other";
  if (isStatusError(error, "Unauthorized")) return "unauthorized";
  if (isStatusError(error, "Forbidden")) return "forbidden";
  if (isStatusError(error, "NotFound")) return "notFound";
  if (isExpired(error)) return "expired";
  if (isBadRequest(error)) return "badRequest";
  if (isTooManyRequests(error)) return "overloaded";
  return error.httpCode >= 500 ? "serverError" : "other";
}
