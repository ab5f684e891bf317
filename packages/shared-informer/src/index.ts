/**
 * One watch, one indexed cache, any number of listeners: the informers of Kubernetes for any
 * runtime.
 *
 * @module
 */
export type { DeltaStore, DeltaTarget } from "./cache/delta-target.ts";
export type { Deleted, InformerEvent } from "./cache/informer-event.ts";
export { processDeltas, processDeltasInBatch } from "./cache/process-deltas.ts";
export type { HandlerOptions, HandlerRegistration } from "./delivery/handler-registration.ts";
export {
  ProcessorListener,
  type ListenerHooks,
  type ProcessorListenerOptions,
  type SlowHandlerReport,
} from "./delivery/processor-listener.ts";
export {
  filteringHandler,
  type FilterOptions,
  type ResourceEventHandler,
} from "./delivery/resource-event-handler.ts";
export {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
  type SharedProcessorOptions,
} from "./delivery/shared-processor.ts";
export { NotSyncedError, SyncTracker } from "./delivery/sync-tracker.ts";
export {
  waitForCacheSync,
  type Syncable,
  type WaitOptions,
} from "./delivery/wait-for-cache-sync.ts";
export type { InformerIdentity, InformerScope } from "./factory/informer-identity.ts";
export {
  SharedInformerFactory,
  type CreateListerWatcher,
  type FactoryInformerOptions,
  type InformerDefaults,
  type NamespaceIndex,
  type SharedInformerFactoryOptions,
} from "./factory/shared-informer-factory.ts";
export { InformerStartedError, InformerStoppedError } from "./informer/errors.ts";
export { informerMetricNames, type InformerMetrics } from "./informer/informer-metrics.ts";
export type {
  ErrorOrigin,
  InformerCacheOptions,
  InformerOptions,
  InformerTelemetry,
} from "./informer/informer-options.ts";
export type {
  InformerSink,
  InformerSource,
  SinkStore,
  SourceProgress,
} from "./informer/informer-source.ts";
export type {
  HandlerStatus,
  InformerPhase,
  InformerProblem,
  InformerStatus,
  ProblemReason,
  SourceStatus,
} from "./informer/informer-status.ts";
export { Informer, type FreshOptions } from "./informer/informer.ts";
export { InformerView, type InformerViewOptions } from "./sources/informer-view.ts";
export { newInformer } from "./sources/new-informer.ts";
export {
  clientGoInformerBehaviour,
  type SharedInformerBehaviour,
  type SharedInformerCacheOptions,
  type SharedInformerOptions,
  type SharedInformerRetryOptions,
  type SharedInformerTelemetry,
  type WatchErrorHandler,
} from "./sources/shared-informer-options.ts";
export { SharedInformer } from "./sources/shared-informer.ts";
export type { ViewedInformer, ViewSelection } from "./sources/view-source.ts";
export type { EventsOptions, EventStream, OverflowPolicy } from "./streams/event-stream.ts";
