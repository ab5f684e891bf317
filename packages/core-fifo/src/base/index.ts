/**
 * The ground floor: small building blocks of every package. For the packages of listwatch only,
 * whose versions move together. Users get the parts that they need from the main entries.
 *
 * @module
 */
export { aSignal, linkAbort, onAborted, untilAborted, type LinkedAbort } from "./abort.ts";
export { Backoff, growDelay, jitterDelay, type BackoffOptions } from "./backoff.ts";
export {
  asCached,
  asPlain,
  mutableCopy,
  type Cached,
  type Complete,
  type DeepReadonly,
  type Incomplete,
  type Leaf,
  type Mutable,
  type MutableCopy,
  type Origin,
} from "./cached.ts";
export { callHook } from "./user-functions.ts";
export { CapacityLatch } from "./wait-queue.ts";
export { sleep, systemClock, type Clock, type SleepOptions, type Timer } from "./clock.ts";
export { deepFreeze, lazyMembers } from "./deep-freeze.ts";
export { Deque } from "./deque.ts";
export { isDevelopment, provideDispose } from "./runtime.ts";
export {
  adviceOf,
  AlreadyRunningError,
  createNoMetadataError,
  failureKindOf,
  hasCode,
  createInvalidOptionError,
  InvalidOptionsError,
  ListwatchError,
  TransformError,
  type ListwatchErrorOptions,
} from "./errors.ts";
export { FailureLog, type Failure, type FailureLogOptions } from "./failure-log.ts";
export {
  SharedFailures,
  type SharedFailure,
  type SharedFailuresOptions,
} from "./shared-failures.ts";
export { escapeFieldValue } from "./values.ts";
export { hashOf, type Hash } from "./hash.ts";
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
  describeObjectName,
  metadataOf,
  resourceVersionOf,
  type KubernetesObject,
  type ObjectMeta,
} from "./kubernetes-object.ts";
export { consoleLog, guardLog, silentLog, type Log, type LogFields } from "./log.ts";
export {
  createMeters,
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type Meter,
  type MetersOf,
  type MetricDefinition,
  type MetricKinds,
  type MetricErrorHandler,
  type MetricsSink,
} from "./metrics.ts";
export { trace, type SpanAttributes, type TraceSink, type TraceSpan } from "./traces.ts";
export {
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  anArrayOf,
  anInteger,
  anObject,
  anything,
  aString,
  aTraceSink,
  anIterable,
  checkOption,
  checkOptions,
  having,
  nearestName,
  oneOf,
  signalIn,
  someStrings,
  type OptionCheck,
  type OptionRule,
  type OptionsOf,
  type OptionTable,
} from "./options.ts";
export { Preset } from "./preset.ts";
export { seededRandom, systemRandom, type Random } from "./random.ts";
export { RankedHeap, type RankedNode } from "./ranked-heap.ts";
export { inRealTime } from "./runtime.ts";
export { isBelow } from "./resource-version.ts";
export { ResourceVersionWaiters } from "./resource-version-waiters.ts";
export { decodeText } from "./values.ts";
export { BatchBudget, type BatchBudgetOptions, maxBatchKeys } from "./batch-budget.ts";
export { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";
export { withTimeLimit, type TimeLimitOptions } from "./time-limit.ts";
export { applyTransform, computeKey, type Transform } from "./user-functions.ts";
export { describeBytes, describeDuration, readDuration } from "./units.ts";
export {
  checkSynchronous,
  describeError,
  describeValue,
  isInstance,
  isPromiseLike,
} from "./values.ts";
export { WaitQueue, type Wait } from "./wait-queue.ts";
