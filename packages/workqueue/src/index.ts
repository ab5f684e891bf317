/**
 * Work queues for controllers: each item once at a time, later, less often, by priority or in
 * turns.
 *
 * @module
 */
export { DelaySequence, type DelaySequenceOptions } from "./limiters/delay-sequence.ts";
export { KeyedBackoff, type KeyedBackoffOptions } from "./limiters/keyed-backoff.ts";
export {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  WithMaxWaitRateLimiter,
  type BucketOptions,
  type ItemExponentialFailureOptions,
  type ItemFastSlowOptions,
  type ItemKey,
  type RateLimiter,
  type WithMaxWaitOptions,
} from "./limiters/rate-limiters.ts";
export { FairOrdering, type FairOrderingOptions } from "./orderings/fair-ordering.ts";
export type { QueueOrdering, WaitingItem } from "./orderings/ordering.ts";
export { lowPriority, PriorityOrdering } from "./orderings/priority-ordering.ts";
export { parallelize, type ParallelizeOptions } from "./queue/parallelize.ts";
export type { WorkItem } from "./queue/work-item.ts";
export type {
  ItemKeyFunction,
  KeyedQueueOptions,
  PrimitiveQueueArguments,
  PriorityOptions,
  QueueWaitOptions,
  WorkQueueOptions,
} from "./queue/work-queue-options.ts";
export { WorkQueue, type QueuedItem } from "./queue/work-queue.ts";
