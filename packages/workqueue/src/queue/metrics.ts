import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo/base";

/** The metrics of one queue. They belong to the caller and live as long as the caller keeps them. */
export interface QueueMetrics {
  /** Items that wait, and items that are processed and were added again in the meantime. */
  readonly depth?: GaugeMetric | undefined;
  /** Adds, except those of items that wait already. */
  readonly adds?: CounterMetric | undefined;
  /** Seconds from the first add of an item to its get. */
  readonly queueDuration?: HistogramMetric | undefined;
  /** Seconds from the get of an item to its done. */
  readonly workDuration?: HistogramMetric | undefined;
  /** Seconds of work on all items in work, summed up; set every 500 ms while there are any. */
  readonly unfinishedWork?: GaugeMetric | undefined;
  /** Seconds of work on the item that is longest in work; set every 500 ms while there are any. */
  readonly longestRunningProcessor?: GaugeMetric | undefined;
  /** Adds with a delay, also with one of 0. */
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
