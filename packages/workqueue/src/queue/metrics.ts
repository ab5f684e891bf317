import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo/base";

/** Metrics of one queue. The caller owns them and decides how long they live. */
export interface QueueMetrics {
  /** Waiting items, including those that were added again while they are processed. */
  readonly depth?: GaugeMetric | undefined;
  /** Adds, except of items that already wait. */
  readonly adds?: CounterMetric | undefined;
  /** Seconds from the first add of an item to its get. */
  readonly queueDuration?: HistogramMetric | undefined;
  /** Seconds from the get of an item to its done. */
  readonly workDuration?: HistogramMetric | undefined;
  /** Seconds for which items have been processed, summed; set every 500 ms while there are any. */
  readonly unfinishedWork?: GaugeMetric | undefined;
  /** Seconds for which the oldest of these has been processed; set every 500 ms. */
  readonly longestRunningProcessor?: GaugeMetric | undefined;
  /** Adds with a delay, including a delay of 0. */
  readonly retries?: CounterMetric | undefined;
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
