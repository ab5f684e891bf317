import {
  InvalidOptionsError,
  type CounterMetric,
  type GaugeMetric,
  type HistogramMetric,
  type MetricDefinition,
  type MetricsSink,
} from "@listwatch/core-fifo";
import { defaultBuckets, knownMetrics, type KnownMetric } from "./known-metrics.ts";

/** All metrics of one name, by the values of their labels. */
interface Family {
  readonly type: KnownMetric["type"];
  readonly help: string;
  readonly labels: readonly string[];
  readonly series: Map<string, Series>;
  readonly create: (labels: readonly string[]) => Series;
}

/** A metric with its labels, which writes its own lines. */
interface Series extends CounterMetric, GaugeMetric, HistogramMetric {
  write(name: string): string;
}

/**
 * Keeps metrics and writes them in Prometheus' text format 0.0.4. Memory grows with the number of
 * combinations of labels, not with the number of values.
 *
 * ```ts
 * import { PrometheusRegistry } from "@listwatch/telemetry";
 *
 * const registry = new PrometheusRegistry();
 * const backups = registry.counter({
 *   name: "backups_total",
 *   help: "Backups",
 *   labels: ["kind"],
 * });
 * backups("full").inc();
 * console.log(registry.write());
 * // # HELP backups_total Backups
 * // # TYPE backups_total counter
 * // backups_total{kind="full"} 1
 * ```
 */
export class PrometheusRegistry implements MetricsSink {
  readonly #families = new Map<string, Family>();

  /**
   * Returns a metric that counts up, with the values of the labels of the definition.
   *
   * @throws {InvalidOptionsError} if the format has no such name or labels, or the name is another
   *   metric's
   */
  counter(definition: MetricDefinition): (...labels: readonly string[]) => CounterMetric {
    return this.#create("counter", definition, (labels) => new Scalar(labels));
  }

  /**
   * Returns a metric that stores its last value.
   *
   * @throws {InvalidOptionsError} as {@link PrometheusRegistry.counter}
   */
  gauge(definition: MetricDefinition): (...labels: readonly string[]) => GaugeMetric {
    return this.#create("gauge", definition, (labels) => new Scalar(labels));
  }

  /**
   * Returns a metric that counts its values in buckets: those of the definition, of the known
   * metric with this name, or from 5 ms to 10 s.
   *
   * @throws {InvalidOptionsError} as {@link PrometheusRegistry.counter}
   */
  histogram(definition: MetricDefinition): (...labels: readonly string[]) => HistogramMetric {
    const { buckets = findKnown(definition.name)?.buckets ?? defaultBuckets } = definition;
    return this.#create("histogram", definition, (labels) => new Histogram(labels, buckets));
  }

  /** Returns all metrics that have a value, each family with its help and type. */
  write(): string {
    const lines: string[] = [];
    for (const [name, { help, series, type }] of this.#families) {
      if (series.size === 0) continue;
      lines.push(`# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`);
      for (const each of series.values()) lines.push(each.write(name));
    }
    return lines.join("");
  }

  #create(
    type: Family["type"],
    definition: MetricDefinition,
    create: Family["create"],
  ): (...labels: readonly string[]) => Series {
    const family = this.#familyOf(type, definition, create);
    return (...values) => {
      const id = JSON.stringify(values);
      const present = family.series.get(id);
      if (present !== undefined) return present;
      const { labels } = family;
      if (values.length !== labels.length) {
        const expected = `values of ${labels.length} labels (${labels.join(", ")})`;
        throw refuse(definition.name, expected, `${values.length} values`);
      }
      const pairs = labels.map((name, index) => `${name}="${escapeLabel(values[index] ?? "")}"`);
      const created = family.create(pairs);
      family.series.set(id, created);
      return created;
    };
  }

  #familyOf(
    type: Family["type"],
    { help, labels = [], name }: MetricDefinition,
    create: Family["create"],
  ): Family {
    const present = this.#families.get(name);
    if (present !== undefined) {
      const isSame = present.type === type && String(present.labels) === String(labels);
      if (isSame) return present;
      const expected = `a ${present.type} with the labels ${String(present.labels)}`;
      throw refuse(name, expected, `a ${type} with the labels ${String(labels)}`);
    }
    if (!metricName.test(name)) throw refuse(name, `a name like ${String(metricName)}`, name);
    const wrong = labels.find((label) => !labelName.test(label) || label === "le");
    if (wrong !== undefined) throw refuse(name, `labels like ${String(labelName)}`, wrong);
    const text = help ?? findKnown(name)?.help ?? name;
    const family = { type, help: text, labels, series: new Map<string, Series>(), create };
    this.#families.set(name, family);
    return family;
  }
}

/** Names of the text format: prometheus.io/docs/concepts/data_model. */
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Returns the known metric with a name. */
export function findKnown(name: string): KnownMetric | undefined {
  return knownMetrics.find((metric) => metric.name === name);
}

function refuse(name: string, expected: string, got: string): InvalidOptionsError {
  const text = `Cannot create the metric ${name}: expected ${expected}, got ${got}`;
  return new InvalidOptionsError(text, "definition");
}

/** A counter or a gauge. */
class Scalar implements Series {
  readonly #labels: readonly string[];
  #value = 0;

  constructor(labels: readonly string[]) {
    this.#labels = labels;
  }

  inc(): void {
    this.#value += 1;
  }

  set(value: number): void {
    this.#value = value;
  }

  observe(value: number): void {
    this.#value += value;
  }

  write(name: string): string {
    return sample(name, this.#labels, this.#value);
  }
}

class Histogram implements Series {
  readonly #labels: readonly string[];
  readonly #bounds: readonly number[];
  /** Number of values in each bucket alone; the last one has those above all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(labels: readonly string[], bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  inc(): void {
    this.observe(1);
  }

  set(value: number): void {
    this.observe(value);
  }

  observe(value: number): void {
    const index = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = index === -1 ? this.#bounds.length : index;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  write(name: string): string {
    let count = 0;
    const lines = this.#counts.map((each, index) => {
      count += each;
      const bound = this.#bounds[index] ?? Infinity;
      return sample(`${name}_bucket`, [...this.#labels, `le="${formatNumber(bound)}"`], count);
    });
    lines.push(sample(`${name}_sum`, this.#labels, this.#sum));
    lines.push(sample(`${name}_count`, this.#labels, count));
    return lines.join("");
  }
}

function sample(name: string, labels: readonly string[], value: number): string {
  const braces = labels.length === 0 ? "" : `{${labels.join(",")}}`;
  return `${name}${braces} ${formatNumber(value)}\n`;
}

/** Formats a number as Go's `ParseFloat` reads it. */
function formatNumber(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', String.raw`\"`);
}
