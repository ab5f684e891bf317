/**
 * Metrics and traces of listwatch for OpenTelemetry. It imports the optional peer
 * `@opentelemetry/api`.
 *
 * @module
 */
export { openTelemetryTraces } from "./opentelemetry/open-telemetry-traces.ts";
export { openTelemetryMetrics } from "./opentelemetry/open-telemetry-metrics.ts";
