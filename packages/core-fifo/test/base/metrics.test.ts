import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createMeters,
  type CounterMetric,
  type GaugeMetric,
  type MetricsSink,
} from "@listwatch/core-fifo/base";
import { metricsSink, type MetricCall } from "../support/metrics-sink.ts";

const table = {
  lists: ["counter", "lists_total"],
  depth: ["gauge", "depth"],
  duration: ["histogram", "duration_seconds"],
  backlog: ["gauge", "backlog", "handler"],
} as const;

function fail(): never {
  throw new Error("broken");
}

describe("createMeters", () => {
  test("creates the metrics of a part, which have its labels and one that varies", () => {
    const calls: MetricCall[] = [];
    const meters = createMeters(
      metricsSink((call) => calls.push(call)),
      table,
      { name: "a" },
    );
    expectTypeOf(meters.lists).toEqualTypeOf<CounterMetric | undefined>();
    expectTypeOf(meters.backlog).toEqualTypeOf<((label: string) => GaugeMetric) | undefined>();
    meters.lists?.inc();
    meters.depth?.set(3);
    meters.duration?.observe(2);
    meters.backlog?.("b").set(4);
    const labels = { name: "a" };
    expect(calls).toEqual([
      { name: "lists_total", labels, value: 1 },
      { name: "depth", labels, value: 3 },
      { name: "duration_seconds", labels, value: 2 },
      { name: "backlog", labels: { name: "a", handler: "b" }, value: 4 },
    ]);
  });

  test("creates none without a sink", () => {
    expect(createMeters(undefined, table, { name: "a" })).toEqual({});
  });

  test("keeps the this of a sink and of its metrics", () => {
    const seen: unknown[] = [];
    class Metric {
      readonly #seen = seen;
      inc(): void {
        this.#seen.push("inc");
      }
      set(value: number): void {
        this.#seen.push(value);
      }
      observe(value: number): void {
        this.#seen.push(value);
      }
    }
    class Sink implements MetricsSink {
      readonly #metric = new Metric();
      counter(): () => Metric {
        return () => this.#metric;
      }
      gauge(): () => Metric {
        return () => this.#metric;
      }
      histogram(): () => Metric {
        return () => this.#metric;
      }
    }
    const meters = createMeters(new Sink(), table, {});
    meters.lists?.inc();
    meters.depth?.set(1);
    meters.duration?.observe(2);
    expect(seen).toEqual(["inc", 1, 2]);
  });

  test("reports the first failure of each metric, and throws none", () => {
    const reports: [unknown, string][] = [];
    const report = (error: unknown, metric: string): void => void reports.push([error, metric]);
    const meters = createMeters(metricsSink(fail), table, {}, report);
    meters.lists?.inc();
    meters.lists?.inc();
    meters.depth?.set(1);
    meters.backlog?.("a").set(1);
    expect(reports.map(([, metric]) => metric)).toEqual(["lists", "depth", "backlog"]);
    expect(reports[0]?.[0]).toEqual(new Error("broken"));
  });

  test("reports a sink that creates no metric", () => {
    const reports: string[] = [];
    const sink = { counter: fail, gauge: fail, histogram: () => fail };
    const meters = createMeters(sink, table, {}, (_error, metric) => void reports.push(metric));
    meters.lists?.inc();
    meters.backlog?.("a").set(1);
    meters.duration?.observe(1);
    expect(reports).toEqual(["lists", "depth", "duration", "backlog"]);
  });

  test("drops a report that fails", () => {
    const meters = createMeters(metricsSink(fail), table, {}, fail);
    expect(() => meters.lists?.inc()).not.toThrow();
    const unreported = createMeters(metricsSink(fail), table, {});
    expect(() => unreported.lists?.inc()).not.toThrow();
  });
});
