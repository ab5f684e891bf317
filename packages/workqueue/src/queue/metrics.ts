/** Counts up. */
export interface QueueCounter {
  inc(): void;
}

/** Holds the last value. */
export interface QueueGauge {
  set(value: number): void;
}

/** Keeps the distribution of what it is given: a summary or a histogram. */
export interface QueueSummary {
  observe(value: number): void;
}

/** The metrics of one queue. They are the caller's and live as long as the caller keeps them. */
export interface QueueMetrics {
  /** Items that wait, and items that are processed and were added again meanwhile. */
  readonly depth?: QueueGauge | undefined;
  /** Adds, except those of items that wait already. */
  readonly adds?: QueueCounter | undefined;
  /** Seconds from the first add of an item to its get. */
  readonly queueDuration?: QueueSummary | undefined;
  /** Seconds from the get of an item to its done. */
  readonly workDuration?: QueueSummary | undefined;
  /**
   * Seconds that all items in work have been in work, taken together; set every 500 ms while there
   * are any.
   */
  readonly unfinishedWork?: QueueGauge | undefined;
  /** Seconds that the longest item in work has been in work; set every 500 ms while there are any. */
  readonly longestRunningProcessor?: QueueGauge | undefined;
  /** Adds that were asked to wait. */
  readonly retries?: QueueCounter | undefined;
}

/** client-go's name of each metric (util/workqueue/metrics.go), so that dashboards keep working. */
export const queueMetricNames: { readonly [Metric in keyof QueueMetrics]-?: string } = {
  depth: "workqueue_depth",
  adds: "workqueue_adds_total",
  queueDuration: "workqueue_queue_duration_seconds",
  workDuration: "workqueue_work_duration_seconds",
  unfinishedWork: "workqueue_unfinished_work_seconds",
  longestRunningProcessor: "workqueue_longest_running_processor_seconds",
  retries: "workqueue_retries_total",
};
