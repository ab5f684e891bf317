/**
 * Keeps a store in sync with a collection on a Kubernetes API server: list, watch, and recovery
 * from every failure.
 *
 * @module
 */
export { findInconsistency, InconsistencyError } from "./machine/consistency.ts";
export { UnexpectedObjectError } from "./machine/errors.ts";
export { httpListerWatcher, type HttpListerWatcherOptions } from "./source/http-lister-watcher.ts";
export type { ListerWatcher, ListResult, WatchStream } from "./source/lister-watcher.ts";
export { OtherHistoryError } from "./machine/history.ts";
export { reflectorMetricNames, type ReflectorMetrics } from "./machine/metrics.ts";
export { Pager, type PagedList, type PagerOptions } from "./source/pager.ts";
export { clientGoBehaviour } from "./machine/reflector-behaviour.ts";
export type { ReflectorErrorContext, ReflectorOptions } from "./machine/reflector-options.ts";
export type {
  ReflectorFailure,
  ReflectorPhase,
  ReflectorStatus,
} from "./machine/reflector-status.ts";
export type { ReflectorStore } from "./machine/reflector-store.ts";
export { Reflector } from "./machine/reflector.ts";
export { RetryWatcher, type RetryWatcherOptions } from "./watch/retry-watcher.ts";
export type { ReflectorTrace } from "./machine/trace.ts";
export { until, UntilError, untilWithoutRetry, type WatchCondition } from "./watch/until.ts";
