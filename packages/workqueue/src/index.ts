/**
 * Work queues for controllers: each item once at a time, later, less often, by priority or in turns.
 *
 * @module
 */
export { DelaySequence, type DelaySequenceOptions } from "./delay-sequence.ts";
export { DelayingQueue } from "./delaying-queue.ts";
export { FairOrdering, type FairOrderingOptions } from "./fair-ordering.ts";
export type { ItemKey, ItemKeyFunction } from "./item-key.ts";
export { KeyedBackoff, type KeyedBackoffOptions } from "./keyed-backoff.ts";
export type { Lease } from "./lease.ts";
export {
  queueMetricNames,
  type QueueCounter,
  type QueueGauge,
  type QueueMetrics,
  type QueueSummary,
} from "./metrics.ts";
export { FifoOrdering, type QueueOrdering } from "./ordering.ts";
export { parallelize, type ParallelizeOptions } from "./parallelize.ts";
export {
  lowPriority,
  PriorityQueue,
  type PriorityOptions,
  type PriorityQueueOptions,
} from "./priority-queue.ts";
export {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  defaultItemBasedRateLimiter,
  ExponentialFailureRateLimiter,
  FastSlowRateLimiter,
  MaxOfRateLimiter,
  MaxWaitRateLimiter,
  type BucketOptions,
  type DefaultRateLimiterOptions,
  type ExponentialFailureOptions,
  type FastSlowOptions,
  type MaxWaitOptions,
  type RateLimiter,
} from "./rate-limiter.ts";
export { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate-limiting-queue.ts";
export { WorkQueue, type QueueWaitOptions, type WorkQueueOptions } from "./work-queue.ts";
