import type { MetricDefinition, MetricsSink } from "@listwatch/core-fifo";

/** A call of a metric. */
export interface MetricCall {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Change of a counter, value of a gauge, or observed value. */
  readonly value: number;
}

/** Returns a sink that calls a function with each call of a metric. */
export function metricsSink(note: (call: MetricCall) => void): MetricsSink {
  const create =
    ({ labels = [], name }: MetricDefinition) =>
    (...values: readonly string[]) => {
      const pairs = labels.map((label, index) => [label, values[index] ?? ""]);
      const named = { name, labels: Object.fromEntries(pairs) };
      return {
        inc: () => note({ ...named, value: 1 }),
        set: (value: number) => note({ ...named, value }),
        observe: (value: number) => note({ ...named, value }),
      };
    };
  return { counter: create, gauge: create, histogram: create };
}

/** Returns a sink that writes each call as `name=value` into a list, without the name's prefix. */
export function logMetrics(into: string[], prefix: string): MetricsSink {
  return metricsSink(({ name, value }) => into.push(`${name.replace(prefix, "")}=${value}`));
}
