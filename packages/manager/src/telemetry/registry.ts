import type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricDefinition,
  MetricsSink,
} from "@listwatch/core-fifo";

/** prometheus/client_golang `DefBuckets`, prometheus/histogram.go. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** All metrics of one name, by the values of their labels. */
interface Family {
  readonly definition: MetricDefinition;
  readonly type: "counter" | "gauge" | "histogram";
  readonly series: Map<string, Series>;
}

/** A metric with its labels, which writes its own lines. */
interface Series extends CounterMetric, GaugeMetric, HistogramMetric {
  write(name: string): string;
}

/**
 * Keeps metrics and writes them in Prometheus' text format 0.0.4. Memory grows with the number of
 * combinations of labels, not with the number of values.
 */
export class PrometheusRegistry implements MetricsSink {
  readonly #families = new Map<string, Family>();

  counter(definition: MetricDefinition): (...labels: readonly string[]) => CounterMetric {
    return this.#create("counter", definition);
  }

  gauge(definition: MetricDefinition): (...labels: readonly string[]) => GaugeMetric {
    return this.#create("gauge", definition);
  }

  histogram(definition: MetricDefinition): (...labels: readonly string[]) => HistogramMetric {
    return this.#create("histogram", definition);
  }

  /** Returns all metrics that have a value, each family with its help and type. */
  write(): string {
    const lines: string[] = [];
    for (const { definition, series, type } of this.#families.values()) {
      if (series.size === 0) continue;
      lines.push(`# HELP ${definition.name} ${escapeHelp(definition.help)}\n`);
      lines.push(`# TYPE ${definition.name} ${type}\n`);
      for (const each of series.values()) lines.push(each.write(definition.name));
    }
    return lines.join("");
  }

  #create(
    type: Family["type"],
    definition: MetricDefinition,
  ): (...labels: readonly string[]) => Series {
    const known = this.#families.get(definition.name);
    const family = known ?? { definition, type, series: new Map<string, Series>() };
    this.#families.set(definition.name, family);
    const { labels: names = [], buckets = defaultBuckets } = definition;
    return (...values) => {
      const id = JSON.stringify(values);
      const present = family.series.get(id);
      if (present !== undefined) return present;
      const labels = names.map((name, index) => `${name}="${escapeLabel(values[index] ?? "")}"`);
      const created = type === "histogram" ? new Histogram(labels, buckets) : new Scalar(labels);
      family.series.set(id, created);
      return created;
    };
  }
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
