/**
 * One watch, one indexed cache, any number of listeners: the informers of Kubernetes for any
 * runtime.
 *
 * @module
 */
export type { DeltaStore, DeltaTarget } from "./cache/delta-target.ts";
export type {
  AddEvent,
  Deleted,
  DeleteEvent,
  InformerEvent,
  MissedDeletion,
  SeenDeletion,
  UpdateEvent,
} from "./cache/informer-event.ts";
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
  type FilteringHandlerOptions,
  type ResourceEventHandler,
} from "./delivery/resource-event-handler.ts";
export {
  SharedProcessor,
  type AddListenerOptions,
  type Listener,
  type ResyncOptions,
  type SharedProcessorOptions,
} from "./delivery/shared-processor.ts";
export {
  NotSyncedError,
  type Unsynced,
  type UnsyncedReason,
} from "./delivery/wait-for-cache-sync.ts";
export {
  waitForCacheSync,
  type Syncable,
  type WaitOptions,
} from "./delivery/wait-for-cache-sync.ts";
export type { InformerIdentity, InformerScope } from "./factory/shared-options.ts";
export type {
  CreateListerWatcher,
  FactoryCacheOptions,
  FactoryInformerOptions,
  InformerDefaults,
  KeptForm,
  NamespaceIndex,
  SharedInformerFactoryOptions,
} from "./factory/factory-options.ts";
export { SharedInformerFactory } from "./factory/shared-informer-factory.ts";
export {
  type ErrorOrigin,
  type InformerCacheOptions,
  type InformerOptions,
  type InformerTelemetry,
  type ReportError,
  type WatchErrorOrigin,
  type WatchErrorReaction,
} from "./informer/informer-options.ts";
export type {
  InformerSink,
  InformerSource,
  SinkStore,
  SourceProgress,
} from "./informer/informer-source.ts";
export type {
  FreshOptions,
  HandlerStatus,
  InformerPhase,
  InformerProblem,
  InformerStatus,
  ProblemReason,
  SourceStatus,
} from "./informer/informer-status.ts";
export { Informer } from "./informer/informer.ts";
export type { AdmittedWrite, WriteEffect, WrittenName } from "./informer/admitted-write.ts";
export type { InformerWrites, NotedState, NotedWrite } from "./informer/informer-writes.ts";
export { OwnWrites, type OwnWritesCache } from "./informer/own-writes.ts";
export type { StateWriters } from "./informer/state-writers.ts";
export { InformerView, type InformerViewOptions } from "./intake/informer-view.ts";
export { newInformer } from "./intake/shared-informer.ts";
export {
  ReflectorSource,
  type ReflectorSourceOptions,
  type ReflectorSourceTelemetry,
  type WatchErrorHandler,
} from "./intake/reflector-source.ts";
export {
  clientGoInformerBehaviour,
  type SharedInformerCacheOptions,
  type SharedInformerListOptions,
  type SharedInformerOptions,
  type SharedInformerRetryOptions,
  type SharedInformerWatchOptions,
  type SourceCacheOptions,
} from "./intake/shared-informer-options.ts";
export { SharedInformer } from "./intake/shared-informer.ts";
export type { EventsOptions, EventStream, OverflowPolicy } from "./streams/event-stream.ts";
export type { ViewedInformer, ViewSelection } from "./intake/view-source.ts";
