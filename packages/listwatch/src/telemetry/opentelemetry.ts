/**
 * Metrics and traces for OpenTelemetry: `@listwatch/telemetry/opentelemetry`.
 *
 * @module
 */
export * from "@listwatch/telemetry/opentelemetry";
