import { isNetworkError, isStatusError, isTooManyRequests } from "@listwatch/client";
import type { ReflectorStatus } from "@listwatch/reflector";
import type { HandlerStatus, InformerPhase } from "./informer-options.ts";

/** What keeps an informer from being up to date. */
export interface InformerProblem {
  readonly reason: ProblemReason;
  readonly error: unknown;
  /** Failures in a row. */
  readonly attempts: number;
  /** When the first of them was. */
  readonly sinceMs: number;
  /** When it will be tried again, if it waits. */
  readonly retryMs: number | undefined;
}

/**
 * Why list and watch fail: credentials that are missing or wrong (401), rights that are missing
 * (403), a resource that is not served (404), a server that cannot be reached, one that is
 * overloaded (429) or fails itself, or something else.
 */
export type ProblemReason =
  | "unauthorized"
  | "forbidden"
  | "notFound"
  | "unreachable"
  | "overloaded"
  | "serverError"
  | "other";

/** How an informer is. All times are milliseconds since 1970. */
export interface InformerStatus {
  readonly name: string;
  readonly phase: InformerPhase;
  readonly hasSynced: boolean;
  /** The resourceVersion up to which the cache is complete; `""` at first. */
  readonly resourceVersion: string;
  /** How list and watch go, in detail; `undefined` before the start. */
  readonly source: ReflectorStatus | undefined;
  /** What keeps it from being up to date; `undefined` when all is well. */
  readonly problem: InformerProblem | undefined;
  /** Changes that are received and not yet in the cache. */
  readonly queuedDeltas: number;
  readonly handlers: readonly HandlerStatus[];
}

/** Options of {@link SharedInformer.fresh}. */
export interface FreshOptions {
  /** How old the newest word from the server may be, in ms. */
  readonly withinMs: number;
}

/** What a reflector struggles with, if it does. */
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

function reasonOf(error: unknown): ProblemReason {
  if (isNetworkError(error)) return "unreachable";
  if (!isStatusError(error)) return "other";
  if (isStatusError(error, "Unauthorized")) return "unauthorized";
  if (isStatusError(error, "Forbidden")) return "forbidden";
  if (isStatusError(error, "NotFound")) return "notFound";
  if (isTooManyRequests(error)) return "overloaded";
  return error.httpCode >= 500 ? "serverError" : "other";
}
