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
} from "./source/consistency.ts";
export { OtherHistoryError, UnexpectedObjectError } from "./services/errors.ts";

export { httpListerWatcher, type HttpListerWatcherOptions } from "./source/http-lister-watcher.ts";
export type {
  ListerWatcher,
  ListResult,
  SourceCollection,
  WatchStream,
} from "./source/lister-watcher.ts";
export { Pager, type ListFunction, type PagedList, type PagerOptions } from "./source/pager.ts";
export type {
  BackoffOptions,
  ExpectedType,
  ReflectorListOptions,
  ReflectorOptions,
  ReflectorRetryOptions,
  ReflectorWatchOptions,
} from "./options/options.ts";
export { clientGoBehaviour } from "./options/settings.ts";
export type {
  InitialEventsTrace,
  ListTrace,
  ReflectorErrorContext,
  ReflectorFailure,
  ReflectorOperation,
  ReflectorPhase,
  ReflectorRecovery,
  ReflectorStatus,
  ReflectorTrace,
  RelistTrace,
  WatchTrace,
} from "./options/status.ts";
export type { ReflectorStore } from "./options/store.ts";
export { Reflector } from "./states/reflector.ts";
export {
  RetryWatcher,
  type RetryWatcherOptions,
  type RetryWatchEvent,
} from "./watch/retry-watcher.ts";
export { until, UntilError, type UntilOptions, type WatchCondition } from "./watch/until.ts";
