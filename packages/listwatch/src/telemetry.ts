/**
 * A registry of metrics in Prometheus' text format: `@listwatch/telemetry`.
 *
 * @module
 */
export * from "@listwatch/telemetry";
