/**
 * One watch, one indexed cache, any number of listeners: the informers of Kubernetes for any runtime.
 *
 * @module
 */
export { InformerStartedError, InformerStoppedError, NotSyncedError } from "./errors.ts";
export type { HandlerOptions, HandlerRegistration } from "./handler-registration.ts";
export type {
  ErrorOrigin,
  HandlerStatus,
  Informer,
  InformerOptions,
  InformerPhase,
  InformerStore,
} from "./informer.ts";
export type {
  AddNotification,
  DeleteNotification,
  Notification,
  UpdateNotification,
} from "./notification.ts";
export {
  processDeltas,
  processDeltasInBatch,
  type DeltaStore,
  type DeltaTarget,
} from "./process-deltas.ts";
export {
  ProcessorListener,
  type ListenerHooks,
  type ProcessorListenerOptions,
  type SlowHandlerReport,
} from "./processor-listener.ts";
export {
  filteringHandler,
  type Deleted,
  type FilterOptions,
  type MissedDeletion,
  type ResourceEventHandler,
  type SeenDeletion,
} from "./resource-event-handler.ts";
export {
  SharedInformerFactory,
  type CreateListerWatcher,
  type InformerScope,
  type InformerTuning,
  type NamespaceIndex,
  type SharedInformerFactoryOptions,
} from "./shared-informer-factory.ts";
export {
  SharedInformer,
  type InformerStatus,
  type SharedInformerOptions,
  type WatchErrorHandler,
} from "./shared-informer.ts";
export {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
  type SharedProcessorOptions,
} from "./shared-processor.ts";
export { SyncTracker } from "./sync-tracker.ts";
export { waitForCacheSync, type Syncable } from "./wait-for-cache-sync.ts";
