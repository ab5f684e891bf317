/**
 * Kubernetes-style delta queues for any runtime: the part between a watch and a cache in client-go.
 * Has no dependencies.
 *
 * @module
 */
export {
  mutableCopy,
  type Cached,
  type Complete,
  type DeepReadonly,
  type Incomplete,
  type Leaf,
  type Mutable,
  type MutableCopy,
  type Origin,
} from "./base/cached.ts";
export { sleep, systemClock, type Clock, type SleepOptions, type Timer } from "./base/clock.ts";
export {
  AlreadyRunningError,
  InvalidOptionsError,
  ListwatchError,
  KeyError,
  TransformError,
  type ListwatchErrorOptions,
} from "./base/errors.ts";
export { consoleLog, silentLog, type Log, type LogFields } from "./base/log.ts";
export type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricDefinition,
  MetricsSink,
} from "./base/metrics.ts";
export type { SpanAttributes, TraceSink, TraceSpan } from "./base/traces.ts";
export type { Preset } from "./base/preset.ts";
export type { Random } from "./base/random.ts";
export type {
  BookmarkDelta,
  DeletedDelta,
  Delta,
  Deltas,
  DeltaType,
  ObjectDelta,
  ReplacedAllDelta,
  SyncAllDelta,
  UpsertDelta,
} from "./delta/delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./queues/delta-fifo.ts";
export { FIFO, type FIFOOptions, type PoppedObject } from "./queues/fifo.ts";
export { Heap, type HeapOptions } from "./queues/heap.ts";
export {
  deletionHandlingMetaNamespaceKey,
  deletionHandlingObjectName,
  ExplicitKey,
  metaNamespaceKey,
  objectName,
  splitMetaNamespaceKey,
  type Key,
  type KeyFunction,
  type KeyOptions,
  type ObjectName,
} from "./delta/keys.ts";
export type { KubernetesObject, ObjectMeta, Scope } from "./base/kubernetes-object.ts";
export type { KnownObjects } from "./queues/known-objects.ts";
export {
  QueueClosedError,
  RequeueError,
  type PoppedDeltas,
  type PopOptions,
  type PopProcessor,
  type Queue,
  type QueueWriter,
} from "./queues/queue.ts";
export type { ProcessingReport, QueueObserver } from "./queues/queue-observer.ts";
export { RealFIFO } from "./queues/real-fifo.ts";
export {
  clientGoQueueBehaviour,
  type PopBatchOptions,
  type RealFIFOOptions,
  type TakeBatchOptions,
} from "./queues/real-fifo-options.ts";
export { compareResourceVersions, ResourceVersionError } from "./base/resource-version.ts";
export { DeletedFinalStateUnknown } from "./delta/delta.ts";
export type { Transform } from "./base/user-functions.ts";
