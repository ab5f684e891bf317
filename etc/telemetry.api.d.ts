// index.ts
export { knownMetrics, type KnownMetric } from "./metrics/known-metrics.ts";
export { PrometheusRegistry } from "./metrics/registry.ts";

// metrics/known-metrics.ts
export interface KnownMetric {
    readonly name: string;
    readonly type: "counter" | "gauge" | "histogram";
    readonly labels: readonly string[];
    readonly help: string;
    readonly buckets?: readonly number[] | undefined;
}
export declare const defaultBuckets: readonly number[];
export declare const knownMetrics: readonly KnownMetric[];

// metrics/registry.ts
import { type CounterMetric, type GaugeMetric, type HistogramMetric, type MetricDefinition, type MetricsSink } from "@listwatch/core-fifo";
import { type KnownMetric } from "./known-metrics.ts";
export declare class PrometheusRegistry implements MetricsSink {
    #private;
    counter(definition: MetricDefinition): (...labels: readonly string[]) => CounterMetric;
    gauge(definition: MetricDefinition): (...labels: readonly string[]) => GaugeMetric;
    histogram(definition: MetricDefinition): (...labels: readonly string[]) => HistogramMetric;
    write(): string;
}
export declare function findKnown(name: string): KnownMetric | undefined;

// opentelemetry.ts
export { openTelemetryTraces } from "./opentelemetry/open-telemetry-traces.ts";
export { openTelemetryMetrics } from "./opentelemetry/open-telemetry-metrics.ts";

// opentelemetry/open-telemetry-traces.ts
import { type Tracer } from "@opentelemetry/api";
import type { TraceSink } from "@listwatch/core-fifo";
export declare function openTelemetryTraces(tracer: Tracer): TraceSink;

// opentelemetry/open-telemetry-metrics.ts
import type { Meter } from "@opentelemetry/api";
import type { MetricsSink } from "@listwatch/core-fifo";
export declare function openTelemetryMetrics(meter: Meter): MetricsSink;
