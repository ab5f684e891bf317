import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";
import type { ReflectorMetrics } from "@listwatch/reflector";

/** Metrics of one informer. The caller creates them and decides how long they exist. */
export interface InformerMetrics extends ReflectorMetrics {
  /** Number of changes that are received and not in the cache yet. */
  readonly queuedItems?: GaugeMetric | undefined;
  /** Seconds from taking a batch of changes off the queue to its last event in a mailbox. */
  readonly processingLatency?: HistogramMetric | undefined;
  /** The last 15 digits of the resourceVersion of the cache, as a number. */
  readonly storeResourceVersion?: GaugeMetric | undefined;
  /**
   * Returns the gauge of a handler or a reader, for its waiting events. It is set after every
   * batch, when the handler has processed all events, and at its end.
   */
  readonly handlerBacklog?: ((handler: string) => GaugeMetric) | undefined;
  /**
   * Objects that a relist changed, added or removed without an event before, because watches missed
   * it.
   */
  readonly driftedObjects?: CounterMetric | undefined;
}

/**
 * Names of the metrics of an informer and its reflector. Metrics of client-go have its names
 * (`tools/cache/reflector_metrics.go`), so that dashboards keep working.
 */
export const informerMetricNames: { readonly [Metric in keyof InformerMetrics]-?: string } = {
  lists: "reflector_lists_total",
  listDuration: "reflector_list_duration_seconds",
  itemsPerList: "reflector_items_per_list",
  watches: "reflector_watches_total",
  shortWatches: "reflector_short_watches_total",
  watchDuration: "reflector_watch_duration_seconds",
  itemsPerWatch: "reflector_items_per_watch",
  lastResourceVersion: "reflector_last_resource_version",
  queuedItems: "informer_queued_items",
  processingLatency: "informer_processing_latency_seconds",
  storeResourceVersion: "informer_store_resource_version",
  handlerBacklog: "informer_handler_backlog",
  driftedObjects: "informer_drifted_objects_total",
};

/**
 * Digits that a number holds exactly; client-go keeps the same number,
 * tools/cache/informer_metrics.go.
 */
const exactDigits = 15;

/** Converts a resourceVersion for a gauge, 0 for none; `undefined` if it is not a number. */
export function resourceVersionAsNumber(resourceVersion: string): number | undefined {
  if (resourceVersion === "") return 0;
  return /^[0-9]+$/.test(resourceVersion) ? Number(resourceVersion.slice(-exactDigits)) : undefined;
}
