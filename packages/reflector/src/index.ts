/**
 * Keeps a store in sync with a collection on a Kubernetes API server: list, watch, and recovery
 * from every failure.
 *
 * @module
 */
export {
  findInconsistency,
  InconsistencyError,
  type ConsistencyOptions,
} from "./machine/consistency.ts";
export { OtherHistoryError, UnexpectedObjectError } from "./machine/errors.ts";

export { httpListerWatcher, type HttpListerWatcherOptions } from "./source/http-lister-watcher.ts";
export type { ListerWatcher, ListResult, WatchStream } from "./source/lister-watcher.ts";
export { Pager, type ListFunction, type PagedList, type PagerOptions } from "./source/pager.ts";
export {
  clientGoBehaviour,
  type ExpectedType,
  type ReflectorErrorContext,
  type ReflectorListOptions,
  type ReflectorMetrics,
  type ReflectorOperation,
  type ReflectorOptions,
  type ReflectorRecovery,
  type ReflectorRetryOptions,
  type ReflectorWatchOptions,
} from "./machine/reflector-options.ts";
export type {
  ReflectorFailure,
  ReflectorPhase,
  ReflectorStatus,
} from "./machine/reflector-status.ts";
export type { ReflectorStore } from "./machine/reflector-store.ts";
export { Reflector } from "./machine/reflector.ts";
export {
  RetryWatcher,
  type RetryWatcherOptions,
  type RetryWatchEvent,
} from "./watch/retry-watcher.ts";
export type {
  InitialEventsTrace,
  ListTrace,
  ReflectorTrace,
  RelistTrace,
  WatchTrace,
} from "./machine/trace.ts";
export { until, UntilError, type UntilOptions, type WatchCondition } from "./watch/until.ts";
export type { BackoffOptions } from "./machine/backoff.ts";
