/**
 * One watch, one indexed cache, any number of listeners: the informers of Kubernetes for any runtime.
 *
 * @module
 */
export { InformerStartedError, InformerStoppedError, NotSyncedError } from "./errors.ts";
export type { EventsOptions, EventStream, OverflowPolicy } from "./event-stream.ts";
export type { HandlerOptions, HandlerRegistration } from "./handler-registration.ts";
export { informerMetricNames, type InformerMetrics } from "./informer-metrics.ts";
export type {
  ErrorOrigin,
  HandlerStatus,
  InformerOptions,
  InformerPhase,
  InformerStore,
  WaitOptions,
} from "./informer-options.ts";
export type {
  FreshOptions,
  InformerProblem,
  InformerStatus,
  ProblemReason,
} from "./informer-status.ts";
export { InformerView, type InformerViewOptions, type ViewSource } from "./informer-view.ts";
export type { Informer } from "./informer.ts";
export { newInformer, type NewInformerOptions } from "./new-informer.ts";
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
  type InformerIdentity,
  type InformerScope,
  type InformerTuning,
  type NamespaceIndex,
  type SharedInformerFactoryOptions,
} from "./shared-informer-factory.ts";
export type { SharedInformerOptions, WatchErrorHandler } from "./shared-informer-options.ts";
export { SharedInformer } from "./shared-informer.ts";
export {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
  type SharedProcessorOptions,
} from "./shared-processor.ts";
export { SyncTracker } from "./sync-tracker.ts";
export { waitForCacheSync, type Syncable } from "./wait-for-cache-sync.ts";
