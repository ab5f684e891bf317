// prom-client reads Node's process.
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { MetricDefinition, MetricsSink } from "@listwatch/core-fifo";
import { WorkQueue } from "@listwatch/workqueue";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { knownMetrics } from "../../src/index.ts";

// The recipe of the page about metrics.
function promMetrics(registry: Registry): MetricsSink {
  const optionsOf = ({ help, labels = [], name }: MetricDefinition) => {
    const known = knownMetrics.find((metric) => metric.name === name);
    const registers = [registry];
    return { name, help: help ?? known?.help ?? name, labelNames: [...labels], registers };
  };
  return {
    counter(definition) {
      const { name } = definition;
      const found = registry.getSingleMetric(name);
      const counter = found instanceof Counter ? found : new Counter(optionsOf(definition));
      return (...labels) => counter.labels(...labels);
    },
    gauge(definition) {
      const found = registry.getSingleMetric(definition.name);
      const gauge = found instanceof Gauge ? found : new Gauge(optionsOf(definition));
      return (...labels) => gauge.labels(...labels);
    },
    histogram(definition) {
      const { buckets, name } = definition;
      const known = knownMetrics.find((metric) => metric.name === name);
      const bounds = [...(buckets ?? known?.buckets ?? [0.01, 0.1, 1, 10])];
      const found = registry.getSingleMetric(name);
      const histogram =
        found instanceof Histogram
          ? found
          : new Histogram({ ...optionsOf(definition), buckets: bounds });
      return (...labels) => histogram.labels(...labels);
    },
  };
}

test("prom-client is a sink in a few lines (OBS-5)", async () => {
  const registry = new Registry();
  const metrics = promMetrics(registry);
  const clock = new SimulatedClock();
  for (const name of ["pods", "jobs"]) {
    const queue = new WorkQueue<string>({ clock, metrics, name });
    queue.add("a");
    const work = await queue.get();
    work?.[Symbol.dispose]();
  }
  const text = await registry.metrics();
  expect(text).toContain('workqueue_adds_total{name="pods"} 1');
  expect(text).toContain('workqueue_adds_total{name="jobs"} 1');
  expect(text).toContain('workqueue_queue_duration_seconds_bucket{le="1e-8",name="pods"} 1');
  expect(text).toContain("# HELP workqueue_depth Keys that wait");
});
