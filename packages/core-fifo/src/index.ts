/**
 * Kubernetes-style delta queues for any runtime: what sits between a watch and a cache in
 * client-go, with no dependency at all.
 *
 * @module
 */
export { sleep, systemClock, type Clock, type SleepOptions, type Timer } from "./base/clock.ts";
export { AlreadyRunningError, InvalidOptionsError, ListwatchError } from "./base/errors.ts";
export { consoleLog, silentLog, type Log, type LogFields } from "./base/log.ts";
export type { AnyMetric, CounterMetric, GaugeMetric, HistogramMetric } from "./base/metrics.ts";
export { systemRandom, type Random } from "./base/random.ts";
// Moves to the ground floor's own entry when no package imports it from here any more.
export { describeValue } from "./base/values.ts";
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
} from "./delta.ts";
export { DeltaFIFO, type DeltaFIFOOptions } from "./delta-fifo.ts";
export { drain, type BatchQueue, type DrainOptions } from "./drain.ts";
export {
  KeyError,
  KeyFormatError,
  KeyNotFoundError,
  KnownObjectError,
  NoMetadataError,
  QueueClosedError,
  RequeueError,
  ResourceVersionError,
  TransformError,
} from "./errors.ts";
export { FIFO, type FIFOOptions, type PoppedObject } from "./fifo.ts";
export { Heap, type HeapOptions } from "./heap.ts";
export {
  deletionHandlingMetaNamespaceKey,
  deletionHandlingObjectName,
  ExplicitKey,
  keyOfName,
  metaNamespaceKey,
  objectName,
  splitMetaNamespaceKey,
  type KeyFunction,
  type KeyOptions,
  type ObjectName,
} from "./keys.ts";
export {
  metadataOf,
  resourceVersionOf,
  type KubernetesObject,
  type ObjectMeta,
} from "./kubernetes-object.ts";
export type { KnownObjects } from "./known-objects.ts";
export type { PopOptions, PoppedDeltas, PopProcessor, Queue, QueueWriter } from "./queue.ts";
export type { ProcessingReport, QueueObserver } from "./queue-observer.ts";
export { RealFIFO } from "./real-fifo.ts";
export type { PopBatchOptions, RealFIFOOptions } from "./real-fifo-options.ts";
export { compareResourceVersions } from "./resource-version.ts";
export { ResourceVersionWaiters } from "./resource-version-waiters.ts";
export { DeletedFinalStateUnknown } from "./tombstone.ts";
export { applyTransform, type Transform } from "./transform.ts";
