/**
 * Keeps a store in step with a collection on a Kubernetes API server: list, watch, and every way
 * they fail.
 *
 * @module
 */
export { Backoff, type BackoffOptions } from "./machine/backoff.ts";
export {
  findInconsistency,
  InconsistencyError,
  type ConsistencyOptions,
} from "./machine/consistency.ts";
export {
  NotAWatchError,
  ReflectorStoppedError,
  UnexpectedObjectError,
  UnsupportedTableError,
  VeryShortWatchError,
} from "./machine/errors.ts";

export { httpListerWatcher, type HttpListerWatcherOptions } from "./source/http-lister-watcher.ts";
export type { ListerWatcher, ListResult, WatchStream } from "./source/lister-watcher.ts";
export { reflectorMetricNames, type ReflectorMetrics } from "./machine/metrics.ts";
export { Pager, type ListFunction, type PagedList, type PagerOptions } from "./source/pager.ts";
export { clientGoBehaviour, type ReflectorBehaviour } from "./machine/reflector-behaviour.ts";
export type {
  ExpectedType,
  ReflectorDecision,
  ReflectorErrorContext,
  ReflectorListOptions,
  ReflectorOperation,
  ReflectorOptions,
  ReflectorRecovery,
  ReflectorRetryOptions,
  ReflectorWatchOptions,
} from "./machine/reflector-options.ts";
export type {
  ReflectorFailure,
  ReflectorPhase,
  ReflectorStatus,
} from "./machine/reflector-status.ts";
export type { ReflectorStore } from "./machine/reflector-store.ts";
export { Reflector } from "./machine/reflector.ts";
export { RetryWatcher, type RetryWatcherOptions } from "./watch/retry-watcher.ts";
export type {
  InitialEventsTrace,
  ListTrace,
  ReflectorTrace,
  RelistTrace,
  WatchTrace,
} from "./machine/trace.ts";
export {
  until,
  untilWithoutRetry,
  WaitInterruptedError,
  WatchClosedError,
  type UntilOptions,
  type WatchCondition,
} from "./watch/until.ts";
