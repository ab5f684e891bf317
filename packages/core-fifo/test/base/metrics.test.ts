import { describe, expect, expectTypeOf, test } from "vitest";
import {
  guardMetrics,
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
} from "@listwatch/core-fifo/base";

interface Metrics {
  readonly lists?: CounterMetric | undefined;
  readonly depth?: GaugeMetric | undefined;
  readonly duration?: HistogramMetric | undefined;
  readonly backlog?: ((handler: string) => GaugeMetric) | undefined;
}

describe("guardMetrics", () => {
  test("forwards values to the metrics and keeps their this", () => {
    const seen: unknown[] = [];
    class Gauge implements GaugeMetric {
      readonly #seen = seen;
      set(value: number): void {
        this.#seen.push(value);
      }
    }
    const metrics: Metrics = {
      lists: { inc: () => seen.push("inc") },
      depth: new Gauge(),
      duration: { observe: (value) => seen.push(value) },
      backlog: (handler) => ({ set: (value) => seen.push([handler, value]) }),
    };
    const guarded = guardMetrics(metrics);
    expectTypeOf(guarded).toEqualTypeOf<Metrics>();
    guarded.lists?.inc();
    guarded.depth?.set(1);
    guarded.duration?.observe(2);
    guarded.backlog?.("a").set(3);
    expect(seen).toEqual(["inc", 1, 2, ["a", 3]]);
    expect(guardMetrics<Metrics>({ lists: undefined }).lists).toBeUndefined();
  });

  test("reports the first failure of each metric, and throws none", () => {
    const fail = (): never => {
      throw new Error("broken");
    };
    const reports: [unknown, string][] = [];
    const guarded = guardMetrics<Metrics>(
      { lists: { inc: fail }, depth: { set: fail }, backlog: fail },
      (error, metric) => reports.push([error, metric]),
    );
    guarded.lists?.inc();
    guarded.lists?.inc();
    guarded.depth?.set(1);
    guarded.backlog?.("a").set(1);
    expect(reports.map(([, metric]) => metric)).toEqual(["lists", "depth", "backlog"]);
    expect(reports[0]?.[0]).toEqual(new Error("broken"));
  });

  test("a report that fails is dropped", () => {
    const fail = (): never => {
      throw new Error("broken");
    };
    const guarded = guardMetrics<Metrics>({ lists: { inc: fail } }, fail);
    expect(() => guarded.lists?.inc()).not.toThrow();
    const unreported = guardMetrics<Metrics>({ lists: { inc: fail } });
    expect(() => unreported.lists?.inc()).not.toThrow();
  });
});
