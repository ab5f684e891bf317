// The SDK of OpenTelemetry is heavy for a page.
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InvalidOptionsError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { WorkQueue } from "@listwatch/workqueue";
import { describe, expect, test } from "vitest";
import { openTelemetryMetrics } from "../../src/opentelemetry.ts";

describe("metrics of OpenTelemetry", () => {
  test("have the names, labels, units and buckets of the Prometheus format (OBS-5)", async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    const metrics = openTelemetryMetrics(provider.getMeter("test"));
    const clock = new SimulatedClock();
    for (const name of ["pods", "jobs"]) {
      const queue = new WorkQueue<string>({ clock, metrics, name });
      queue.add("a");
      await clock.advance(2000);
      const work = await queue.get();
      work?.[Symbol.dispose]();
    }
    await provider.forceFlush();
    const exported = exporter.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? [];
    const found = (name: string) => exported.find(({ descriptor }) => descriptor.name === name);
    const adds = found("workqueue_adds_total");
    expect(adds?.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{ name: "pods" }, 1],
      [{ name: "jobs" }, 1],
    ]);
    expect(found("workqueue_depth")?.dataPoints.map(({ value }) => value)).toEqual([0, 0]);
    const waited = found("workqueue_queue_duration_seconds");
    expect(waited?.descriptor).toMatchObject({
      unit: "s",
      description: expect.stringMatching(/^Time from the add/),
    });
    expect(waited?.dataPoints[0]?.value).toMatchObject({
      sum: 2,
      count: 1,
      buckets: { boundaries: expect.arrayContaining([1e-8, 1000]) },
    });
    await provider.shutdown();
  });

  test("refuse what is not a meter", () => {
    const provider: unknown = new MeterProvider();
    expect(() => openTelemetryMetrics(provider as never)).toThrow(InvalidOptionsError);
  });
});
