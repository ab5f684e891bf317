import type { Attributes, Meter } from "@opentelemetry/api";
import type { MetricDefinition, MetricsSink } from "@listwatch/core-fifo";
import { checkOption, having } from "@listwatch/core-fifo/base";
import { defaultBuckets } from "../metrics/known-metrics.ts";
import { findKnown } from "../metrics/registry.ts";

const aMeter = /* @__PURE__ */ having("createCounter", "createGauge", "createHistogram");

/**
 * Returns a sink that creates its metrics with a meter of OpenTelemetry. Names are those of the
 * Prometheus format, such as `workqueue_depth`, so that one dashboard fits both; durations have the
 * unit `s`. Labels are attributes.
 *
 * ```ts
 * import { metrics } from "@opentelemetry/api";
 * import { WorkQueue } from "@listwatch/workqueue";
 * import { openTelemetryMetrics } from "@listwatch/telemetry/opentelemetry";
 *
 * const sink = openTelemetryMetrics(metrics.getMeter("my-operator"));
 * const queue = new WorkQueue<string>({ name: "pods", metrics: sink });
 * queue.add("shop/web"); // workqueue_adds_total, with the attribute name: "pods"
 * ```
 *
 * @throws {InvalidOptionsError} if it is not a meter
 */
export function openTelemetryMetrics(meter: Meter): MetricsSink {
  checkOption("meter", meter, aMeter);
  return {
    counter(definition) {
      const counter = meter.createCounter(definition.name, describe(definition));
      return (...values) => {
        const attributes = attributesOf(definition, values);
        return { inc: () => counter.add(1, attributes) };
      };
    },
    gauge(definition) {
      const gauge = meter.createGauge(definition.name, describe(definition));
      return (...values) => {
        const attributes = attributesOf(definition, values);
        return { set: (value) => gauge.record(value, attributes) };
      };
    },
    histogram(definition) {
      const known = findKnown(definition.name)?.buckets;
      const bounds = definition.buckets ?? known ?? defaultBuckets;
      const histogram = meter.createHistogram(definition.name, {
        ...describe(definition),
        advice: { explicitBucketBoundaries: [...bounds] },
      });
      return (...values) => {
        const attributes = attributesOf(definition, values);
        return { observe: (value) => histogram.record(value, attributes) };
      };
    },
  };
}

function describe({ help, name }: MetricDefinition): { description: string; unit?: string } {
  const description = help ?? findKnown(name)?.help ?? "";
  return name.endsWith("_seconds") ? { description, unit: "s" } : { description };
}

function attributesOf(
  { labels = [] }: MetricDefinition,
  values: readonly string[],
): Readonly<Attributes> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ""]));
}
