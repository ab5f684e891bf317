// Reads a file.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { knownMetrics } from "../../src/index.ts";

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const file = new URL("../../dashboards/operator.json", import.meta.url);
const { panels } = JSON.parse(readFileSync(file, "utf8")) as { readonly panels: readonly Panel[] };
const queries = panels.flatMap(({ targets = [], title }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** Samples of each metric, such as the buckets of a histogram, with their labels. */
const samples = new Map(
  knownMetrics.flatMap(({ labels, name, type }) =>
    type === "histogram"
      ? [
          [`${name}_bucket`, [...labels, "le"]],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  ) as [string, readonly string[]][],
);
const isMetric =
  /^(?:controller_runtime|workqueue|reflector|informer|rest_client|leader_election)_/;

describe("the dashboard for Grafana", () => {
  test.each(queries)("$title asks for metrics and labels that exist: $expr", ({ expr }) => {
    const names = expr.match(/[a-z_]+/g)?.filter((word) => isMetric.test(word)) ?? [];
    expect(names.filter((name) => !samples.has(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
    const labels = new Set(names.flatMap((name) => samples.get(name) ?? []));
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
      list.split(", "),
    );
    expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
  });

  test("shows every metric", () => {
    const text = queries.map(({ expr }) => expr).join("\n");
    const missing = knownMetrics.filter(({ name }) => !text.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
