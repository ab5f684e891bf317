import type { MetersOf } from "@listwatch/core-fifo/base";

/** Metrics of a queue under client-go's names, util/workqueue/metrics.go. */
export const queueMeters = {
  /** Waiting items, including those that were added again while they are processed. */
  depth: ["gauge", "workqueue_depth"],
  /** Adds, except of items that already wait. */
  adds: ["counter", "workqueue_adds_total"],
  /** Seconds from the first add of an item to its get. */
  queueDuration: ["histogram", "workqueue_queue_duration_seconds"],
  /** Seconds from the get of an item to its done. */
  workDuration: ["histogram", "workqueue_work_duration_seconds"],
  /** Seconds for which items have been processed, summed; set every 500 ms while there are any. */
  unfinishedWork: ["gauge", "workqueue_unfinished_work_seconds"],
  /** Seconds for which the oldest of these has been processed; set every 500 ms. */
  longestRunningProcessor: ["gauge", "workqueue_longest_running_processor_seconds"],
  /** Adds with a delay, including a delay of 0. */
  retries: ["counter", "workqueue_retries_total"],
} as const;

/** Metrics of one queue. */
export type QueueMetrics = MetersOf<typeof queueMeters>;
