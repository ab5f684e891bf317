/**
 * A registry of metrics that writes Prometheus' text format, and the list of all metrics of
 * listwatch. Has no dependencies outside of listwatch.
 *
 * @module
 */
export { knownMetrics, type KnownMetric } from "./metrics/known-metrics.ts";
export { PrometheusRegistry } from "./metrics/registry.ts";
