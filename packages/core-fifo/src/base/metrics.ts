/** A metric that counts up. */
export interface CounterMetric {
  /** Counts one more. */
  inc(): void;
}

/** A metric that stores the last value. */
export interface GaugeMetric {
  /** Replaces the value. */
  set(value: number): void;
}

/** A metric that stores the distribution of its values: a histogram or a summary. */
export interface HistogramMetric {
  /** Adds a value to the distribution. Durations are in seconds. */
  observe(value: number): void;
}

/** A kind of metric: its name, its help and the names of its labels. */
export interface MetricDefinition {
  /** Name, such as `workqueue_depth`. The name of a counter ends with `_total`. */
  readonly name: string;
  /**
   * Sentence about its values, for `# HELP`. The packages of listwatch leave it out:
   * `@listwatch/telemetry` has the sentences and buckets of their metrics, by name.
   *
   * @default the sink's choice
   */
  readonly help?: string | undefined;
  /** Names of its labels, in the order of their values. @default [] */
  readonly labels?: readonly string[] | undefined;
  /**
   * Upper bounds of the buckets of a histogram, ascending, without infinity.
   *
   * @default the sink's choice
   */
  readonly buckets?: readonly number[] | undefined;
}

/**
 * Creates metrics for all parts of a program: a registry of Prometheus, or an adapter of another
 * library. Queues, reflectors, informers, controllers, electors and connections take one, and
 * create their metrics from it with their name as a label.
 *
 * Each method returns a function from the values of the labels to a metric. It is called once for
 * each part, so it must return the same metrics if it is called again with a name. Values of labels
 * are few: names of controllers and informers, results, codes; never names of objects.
 */
export interface MetricsSink {
  /** Creates a metric that counts up. */
  counter(definition: MetricDefinition): (...labels: readonly string[]) => CounterMetric;
  /** Creates a metric that stores its last value. */
  gauge(definition: MetricDefinition): (...labels: readonly string[]) => GaugeMetric;
  /** Creates a metric that stores the distribution of its values. */
  histogram(definition: MetricDefinition): (...labels: readonly string[]) => HistogramMetric;
}

/** Kind and name of a metric, and the name of a label whose value varies. */
export type Meter = readonly [
  kind: "counter" | "gauge" | "histogram",
  name: string,
  label?: string,
];

/** Metrics of each kind. */
export interface MetricKinds {
  readonly counter: CounterMetric;
  readonly gauge: GaugeMetric;
  readonly histogram: HistogramMetric;
}

/** The metrics of a table; one with a varying label is a function of the label's value. */
export type MetersOf<Table extends Readonly<Record<string, Meter>>> = {
  readonly [Name in keyof Table]?: Table[Name] extends readonly [unknown, unknown, string]
    ? (label: string) => MetricKinds[Table[Name][0]]
    : MetricKinds[Table[Name][0]];
};

/** Called with the error of a metric, and the metric's member in the table. */
export type MetricErrorHandler = (error: unknown, metric: string) => void;

/**
 * Creates the metrics of one part of a program, none of which throws: a failing metric must not
 * break the code that it measures. Its value is lost.
 *
 * @param sink without one there are no metrics
 * @param table kinds and names of the metrics
 * @param labels labels that all of them have, with their values
 * @param onError called with the first error of each metric; an error that it throws is dropped
 */
export function createMeters<const Table extends Readonly<Record<string, Meter>>>(
  sink: MetricsSink | undefined,
  table: Table,
  labels: Readonly<Record<string, string>>,
  onError?: MetricErrorHandler,
): MetersOf<Table> {
  const meters = {};
  if (sink === undefined) return meters;
  const values = Object.values(labels);
  for (const [member, [kind, name, varying]] of Object.entries<Meter>(table)) {
    const guard = new Guard(member, onError);
    const names = Object.keys(labels);
    if (varying !== undefined) names.push(varying);
    const create = guard.attempt(() => sink[kind]({ name, labels: names }));
    const label = (...more: readonly string[]): GuardedMetric =>
      new GuardedMetric(
        guard.attempt(() => create?.(...values, ...more)),
        guard,
      );
    Reflect.set(meters, member, varying === undefined ? label() : label);
  }
  return meters;
}

/** Runs the calls of one metric and reports the first error. */
class Guard {
  readonly #name: string;
  #onError: MetricErrorHandler | undefined;

  constructor(name: string, onError: MetricErrorHandler | undefined) {
    this.#name = name;
    this.#onError = onError;
  }

  attempt<R>(call: () => R): R | undefined {
    try {
      return call();
    } catch (error) {
      const onError = this.#onError;
      this.#onError = undefined;
      try {
        onError?.(error, this.#name);
      } catch {
        // An error of the error handler cannot be reported anywhere.
      }
      return undefined;
    }
  }
}

/** Has the methods of all kinds of metrics. Only those of the wrapped metric are called. */
class GuardedMetric implements CounterMetric, GaugeMetric, HistogramMetric {
  readonly #metric: Partial<CounterMetric & GaugeMetric & HistogramMetric>;
  readonly #guard: Guard;

  constructor(metric: unknown, guard: Guard) {
    this.#metric = typeof metric === "object" && metric !== null ? metric : {};
    this.#guard = guard;
  }

  inc(): void {
    this.#guard.attempt(() => this.#metric.inc?.());
  }

  set(value: number): void {
    this.#guard.attempt(() => this.#metric.set?.(value));
  }

  observe(value: number): void {
    this.#guard.attempt(() => this.#metric.observe?.(value));
  }
}
