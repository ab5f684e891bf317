/**
 * Metrics of listwatch for OpenTelemetry. It imports the optional peer `@opentelemetry/api`.
 *
 * @module
 */
export { openTelemetryMetrics } from "./opentelemetry/open-telemetry-metrics.ts";
