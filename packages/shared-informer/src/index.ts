/**
 * One watch, one indexed cache, any number of listeners: the informers of Kubernetes for any
 * runtime.
 *
 * @module
 */
export { InformerStartedError, InformerStoppedError, NotSyncedError } from "./delivery/errors.ts";
export type { EventsOptions, EventStream, OverflowPolicy } from "./streams/event-stream.ts";
export type { HandlerOptions, HandlerRegistration } from "./delivery/handler-registration.ts";
export { informerMetricNames, type InformerMetrics } from "./informer/informer-metrics.ts";
export type {
  ErrorOrigin,
  HandlerStatus,
  InformerOptions,
  InformerPhase,
  InformerStore,
  WaitOptions,
} from "./informer/informer-options.ts";
export type {
  FreshOptions,
  InformerProblem,
  InformerStatus,
  ProblemReason,
} from "./informer/informer-status.ts";
export {
  InformerView,
  type InformerViewOptions,
  type ViewSource,
} from "./sources/informer-view.ts";
export type { Informer } from "./informer/informer.ts";
export { newInformer, type NewInformerOptions } from "./sources/new-informer.ts";
export type {
  AddNotification,
  DeleteNotification,
  Notification,
  UpdateNotification,
} from "./cache/informer-event.ts";
export {
  processDeltas,
  processDeltasInBatch,
  type DeltaStore,
  type DeltaTarget,
} from "./cache/process-deltas.ts";
export {
  ProcessorListener,
  type ListenerHooks,
  type ProcessorListenerOptions,
  type SlowHandlerReport,
} from "./delivery/processor-listener.ts";
export {
  filteringHandler,
  type Deleted,
  type FilterOptions,
  type MissedDeletion,
  type ResourceEventHandler,
  type SeenDeletion,
} from "./delivery/resource-event-handler.ts";
export {
  SharedInformerFactory,
  type CreateListerWatcher,
  type InformerIdentity,
  type InformerScope,
  type InformerTuning,
  type NamespaceIndex,
  type SharedInformerFactoryOptions,
} from "./factory/shared-informer-factory.ts";
export type {
  SharedInformerOptions,
  WatchErrorHandler,
} from "./sources/shared-informer-options.ts";
export { SharedInformer } from "./sources/shared-informer.ts";
export {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
  type SharedProcessorOptions,
} from "./delivery/shared-processor.ts";
export { SyncTracker } from "./delivery/sync-tracker.ts";
export { waitForCacheSync, type Syncable } from "./delivery/wait-for-cache-sync.ts";
