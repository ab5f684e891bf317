import type { CounterMetric, GaugeMetric, HistogramMetric } from "@listwatch/core-fifo";
import type { InformerMetrics } from "./informer-metrics.ts";

/** Every metric, so that none is forgotten. */
type AllMetrics = Readonly<Record<keyof InformerMetrics, unknown>>;

/** The same metrics, of which none throws: what fails is handed over, and its value lost. */
export function guardedMetrics(
  metrics: InformerMetrics,
  onError: (error: unknown) => void,
): InformerMetrics {
  const attempt = (record: () => void): void => {
    try {
      record();
    } catch (error) {
      onError(error);
    }
  };
  const counter = (metric: CounterMetric | undefined): CounterMetric | undefined =>
    metric && { inc: () => attempt(() => metric.inc()) };
  const gauge = (metric: GaugeMetric | undefined): GaugeMetric | undefined =>
    metric && { set: (value) => attempt(() => metric.set(value)) };
  const summary = (metric: HistogramMetric | undefined): HistogramMetric | undefined =>
    metric && { observe: (value) => attempt(() => metric.observe(value)) };
  const { handlerBacklog } = metrics;
  return {
    lists: counter(metrics.lists),
    listDuration: summary(metrics.listDuration),
    itemsPerList: summary(metrics.itemsPerList),
    watches: counter(metrics.watches),
    shortWatches: counter(metrics.shortWatches),
    watchDuration: summary(metrics.watchDuration),
    itemsPerWatch: summary(metrics.itemsPerWatch),
    lastResourceVersion: gauge(metrics.lastResourceVersion),
    queuedItems: gauge(metrics.queuedItems),
    processingLatency: summary(metrics.processingLatency),
    storeResourceVersion: gauge(metrics.storeResourceVersion),
    handlerBacklog:
      handlerBacklog &&
      ((handler: string) => ({
        set: (value: number) => attempt(() => handlerBacklog(handler).set(value)),
      })),
    driftedObjects: counter(metrics.driftedObjects),
  } satisfies AllMetrics;
}
