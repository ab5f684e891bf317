import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";
import type { ReflectorMetrics } from "@listwatch/reflector";

/** The metrics of one informer. The caller creates them and decides how long they live. */
export interface InformerMetrics extends ReflectorMetrics {
  /** Changes that are received and not yet in the cache. */
  readonly queuedItems?: GaugeMetric | undefined;
  /** Seconds from taking a batch of changes off the queue to its last event in a mailbox. */
  readonly processingLatency?: HistogramMetric | undefined;
  /** The resourceVersion of the cache as a number, of which the last 15 digits are kept. */
  readonly storeResourceVersion?: GaugeMetric | undefined;
  /**
   * Returns the gauge of a handler or a reader, for the events that wait for it; set after every
   * batch, and to 0 when it has processed all of them, and at its end.
   */
  readonly handlerBacklog?: ((handler: string) => GaugeMetric) | undefined;
  /**
   * Objects that a relist changed, added or removed without an event before: what watches have
   * missed.
   */
  readonly driftedObjects?: CounterMetric | undefined;
}

/**
 * The name of each metric of an informer and its reflector. Those that client-go has keep its names
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
 * Digits that a number holds exactly; client-go keeps the same ones,
 * tools/cache/informer_metrics.go.
 */
const exactDigits = 15;

/** A resourceVersion for a gauge, 0 for none; `undefined` if it is no number. */
export function resourceVersionAsNumber(resourceVersion: string): number | undefined {
  if (resourceVersion === "") return 0;
  return /^[0-9]+$/.test(resourceVersion) ? Number(resourceVersion.slice(-exactDigits)) : undefined;
}
