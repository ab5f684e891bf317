// Reads files.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
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

/** Expects a query to name nothing but metrics that exist, and labels that these have. */
function expectKnown(query: string): void {
  const names = query.match(/[a-z_]+/g)?.filter((word) => isMetric.test(word)) ?? [];
  expect(names.filter((name) => !samples.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(0);
  const labels = new Set(names.flatMap((name) => samples.get(name) ?? []));
  const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(", "),
  );
  expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
}

describe("the dashboard for Grafana", () => {
  test.each(queries)("$title asks for metrics and labels that exist: $expr", ({ expr }) => {
    expectKnown(expr);
  });

  test("shows every metric", () => {
    const text = queries.map(({ expr }) => expr).join("\n");
    const missing = knownMetrics.filter(({ name }) => !text.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly summary: string };
    }[];
  }[];
}

describe("the alerts for Prometheus", () => {
  const text = readFileSync(new URL("../../dashboards/alerts.yaml", import.meta.url), "utf8");
  const rules = (parse(text) as Rules).groups.flatMap((group) => group.rules);

  test.each(rules)("$alert asks for metrics and labels that exist", ({ annotations, expr }) => {
    expectKnown(expr);
    const [, label = ""] = /\$labels\.(\w+)/.exec(annotations.summary) ?? [];
    expect(expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
  });
});
