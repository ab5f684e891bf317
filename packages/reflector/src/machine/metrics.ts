import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";

/** The metrics of one reflector. They are the caller's and live as long as the caller keeps them. */
export interface ReflectorMetrics {
  /** Lists requested. */
  readonly lists?: CounterMetric | undefined;
  /** Seconds from the request of a list to its last item. */
  readonly listDuration?: HistogramMetric | undefined;
  readonly itemsPerList?: HistogramMetric | undefined;
  /** Watches requested. */
  readonly watches?: CounterMetric | undefined;
  /** Watches that ended within a second without an event. */
  readonly shortWatches?: CounterMetric | undefined;
  /** Seconds from the request of a watch to its end. */
  readonly watchDuration?: HistogramMetric | undefined;
  readonly itemsPerWatch?: HistogramMetric | undefined;
  /** The last resourceVersion as a number; digits beyond 2^53 are inexact. */
  readonly lastResourceVersion?: GaugeMetric | undefined;
}
