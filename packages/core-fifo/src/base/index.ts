/**
 * The ground floor: the small pieces that every package builds on. Exported for the packages of
 * listwatch only, whose versions move together; what users need of it is in the main entries.
 *
 * @module
 */
export { linkAbort, onAborted, untilAborted, type LinkedAbort } from "./abort.ts";
export { BinaryHeap, type BinaryHeapOptions } from "./binary-heap.ts";
export {
  asCached,
  asPlain,
  mutableCopy,
  type Cached,
  type Mutable,
  type MutableCopy,
} from "./cached.ts";
export { CapacityLatch } from "./capacity-latch.ts";
export {
  checkAtLeast,
  checkFunction,
  checkFunctions,
  checkIntegerAtLeast,
  checkObject,
  checkOneOf,
  createInvalidOptionError,
} from "./checks.ts";
export { sleep, systemClock, type Clock, type SleepOptions, type Timer } from "./clock.ts";
export { Deque } from "./deque.ts";
export {
  AlreadyRunningError,
  InvalidOptionsError,
  ListwatchError,
  TransformError,
} from "./errors.ts";
export {
  isJsonEqual,
  isRecord,
  numberOf,
  recordOf,
  stringOf,
  stringsOf,
  type JsonObject,
  type MutableJsonObject,
} from "./json.ts";
export {
  metadataOf,
  resourceVersionOf,
  type KubernetesObject,
  type ObjectMeta,
} from "./kubernetes-object.ts";
export { consoleLog, silentLog, type Log, type LogFields } from "./log.ts";
export {
  guardMetrics,
  type AnyMetric,
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type MetricErrorHandler,
} from "./metrics.ts";
export { seededRandom, systemRandom, type Random } from "./random.ts";
export { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";
export { applyTransform, type Transform } from "./transform.ts";
export { describeError, describeValue, isPromiseLike } from "./values.ts";
export { WaitQueue } from "./wait-queue.ts";
