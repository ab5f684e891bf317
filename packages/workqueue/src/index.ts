/**
 * Work queues for controllers: each item once at a time, later, less often, by priority or in
 * turns.
 *
 * @module
 */
export { DelaySequence, type DelaySequenceOptions } from "./limiters/delay-sequence.ts";
export { DelayingQueue } from "./queue/delaying-queue.ts";
export { FairOrdering, type FairOrderingOptions } from "./orderings/fair-ordering.ts";
export type { ItemKey, ItemKeyFunction } from "./queue/item-key.ts";
export { KeyedBackoff, type KeyedBackoffOptions } from "./limiters/keyed-backoff.ts";
export type { Lease } from "./queue/lease.ts";
export {
  queueMetricNames,
  type QueueCounter,
  type QueueGauge,
  type QueueMetrics,
  type QueueSummary,
} from "./queue/metrics.ts";
export { FifoOrdering, type QueueOrdering } from "./orderings/ordering.ts";
export { parallelize, type ParallelizeOptions } from "./queue/parallelize.ts";
export {
  lowPriority,
  PriorityQueue,
  type PriorityOptions,
  type PriorityQueueOptions,
} from "./queue/priority-queue.ts";
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
} from "./limiters/rate-limiters.ts";
export { RateLimitingQueue, type RateLimitingQueueOptions } from "./queue/rate-limiting-queue.ts";
export { WorkQueue, type QueueWaitOptions, type WorkQueueOptions } from "./queue/work-queue.ts";
