import { InvalidOptionsError } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { knownMetrics, PrometheusRegistry } from "../../src/index.ts";

describe("a registry of Prometheus", () => {
  test("writes counters and gauges with help, type and escaped labels (OBS-4)", () => {
    const registry = new PrometheusRegistry();
    const counter = registry.counter({ name: "a_total", help: "A \\ B\nC", labels: ["x"] });
    counter('q"\\\n').inc();
    counter('q"\\\n').inc();
    registry.gauge({ name: "g", help: "G" })().set(1.5);
    expect(registry.write()).toBe(
      [
        String.raw`# HELP a_total A \\ B\nC`,
        "# TYPE a_total counter",
        String.raw`a_total{x="q\"\\\n"} 2`,
        "# HELP g G",
        "# TYPE g gauge",
        "g 1.5",
        "",
      ].join("\n"),
    );
  });

  test("writes cumulative buckets up to infinity, sum and count (OBS-4)", () => {
    const registry = new PrometheusRegistry();
    const histogram = registry.histogram({ name: "h", labels: ["x"], buckets: [1, 10] });
    for (const value of [0.5, 1, 5, 50]) histogram("a").observe(value);
    expect(registry.write()).toBe(
      [
        "# HELP h h",
        "# TYPE h histogram",
        'h_bucket{x="a",le="1"} 2',
        'h_bucket{x="a",le="10"} 3',
        'h_bucket{x="a",le="+Inf"} 4',
        'h_sum{x="a"} 56.5',
        'h_count{x="a"} 4',
        "",
      ].join("\n"),
    );
  });

  test("writes numbers beyond those of JSON in the words of Go", () => {
    const registry = new PrometheusRegistry();
    const gauge = registry.gauge({ name: "g", labels: ["x"] });
    gauge("a").set(Infinity);
    gauge("b").set(-Infinity);
    gauge("c").set(NaN);
    gauge("d").set(1e21);
    const lines = registry.write().split("\n").slice(2, -1);
    expect(lines.map((line) => line.split(" ")[1])).toEqual(["+Inf", "-Inf", "NaN", "1e+21"]);
  });

  test("returns the same metric for the same name and labels, which parts share", () => {
    const registry = new PrometheusRegistry();
    for (let part = 0; part < 2; part++) {
      registry
        .counter({ name: "a_total", labels: ["x"] })("same")
        .inc();
    }
    expect(registry.write()).toContain('a_total{x="same"} 2');
  });

  test("knows the sentences and buckets of the packages' metrics", () => {
    const registry = new PrometheusRegistry();
    registry
      .gauge({ name: "workqueue_depth", labels: ["name"] })("a")
      .set(1);
    const name = "workqueue_queue_duration_seconds";
    registry
      .histogram({ name, labels: ["name"] })("a")
      .observe(1e-8);
    expect(registry.write()).toContain("# HELP workqueue_depth Keys that wait\n");
    expect(registry.write()).toContain(`${name}_bucket{name="a",le="1e-8"} 1\n`);
  });

  test("leaves out families without a value", () => {
    const registry = new PrometheusRegistry();
    registry.counter({ name: "a_total" });
    expect(registry.write()).toBe("");
  });

  test("refuses what the format cannot contain, and one name for two metrics", () => {
    const registry = new PrometheusRegistry();
    expect(() => registry.counter({ name: "a b" })).toThrow(InvalidOptionsError);
    expect(() => registry.counter({ name: "a", labels: ["le"] })).toThrow(/expected labels like/);
    expect(() => registry.counter({ name: "a", labels: ["__x"] })).toThrow(/got __x/);
    const labelled = registry.counter({ name: "a", labels: ["x"] });
    expect(() => registry.gauge({ name: "a", labels: ["x"] })).toThrow(
      "Cannot create the metric a: expected a counter with the labels x, got a gauge with the labels x",
    );
    expect(() => registry.counter({ name: "a", labels: ["y"] })).toThrow(/got a counter with/);
    expect(() => labelled()).toThrow(/expected values of 1 labels \(x\), got 0 values/);
  });
});

describe("the known metrics", () => {
  test("have names, kinds, sentences and ascending buckets", () => {
    const names = knownMetrics.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { buckets, help, name, type } of knownMetrics) {
      expect(name.endsWith("_total")).toBe(type === "counter");
      expect(help).toMatch(/^[1A-Z]/);
      expect(buckets === undefined).toBe(type !== "histogram");
      expect(buckets?.toSorted((a, b) => a - b)).toEqual(buckets);
    }
  });
});
