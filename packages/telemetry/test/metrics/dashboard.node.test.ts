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

/** Returns the metrics of a query that do not exist, and the labels that its metrics do not have. */
function unknownNames(query: string): readonly string[] {
  const names = query.match(/[a-z_]+/g)?.filter((word) => isMetric.test(word)) ?? [];
  if (names.length === 0) return ["no metric"];
  const labels = new Set(names.flatMap((name) => samples.get(name) ?? []));
  const grouped = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(", "),
  );
  return [
    ...names.filter((name) => !samples.has(name)),
    ...grouped.filter((label) => !labels.has(label)),
  ];
}

describe("the dashboard for Grafana", () => {
  test.each(queries)("$title asks for metrics and labels that exist: $expr", ({ expr }) => {
    expect(unknownNames(expr)).toEqual([]);
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
    expect(unknownNames(expr)).toEqual([]);
    const [, label = ""] = /\$labels\.(\w+)/.exec(annotations.summary) ?? [];
    expect(expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
  });
});
