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

/** A metric, or a function that returns the metric for the value of a label. */
export type AnyMetric =
  | CounterMetric
  | GaugeMetric
  | HistogramMetric
  | ((label: never) => AnyMetric);

/** Called with the error of a metric, and the metric's name in the set. */
export type MetricErrorHandler = (error: unknown, metric: string) => void;

/**
 * Wraps a set of metrics so that none of them throws: a failing metric must not break the code that
 * it measures. Its value is lost.
 *
 * @param metrics an object whose members are metrics, or functions from a label's value to a metric
 * @param onError called with the first error of each metric; an error that it throws is dropped
 */
export function guardMetrics<M extends { readonly [Name in keyof M]?: AnyMetric | undefined }>(
  metrics: M,
  onError?: MetricErrorHandler,
): M {
  const guarded = { ...metrics };
  for (const name of Object.keys(metrics)) {
    const metric: unknown = Reflect.get(metrics, name);
    const guard = new Guard(name, onError);
    if (typeof metric === "function") {
      Reflect.set(guarded, name, (label: unknown) => {
        let labelled: unknown;
        guard.attempt(() => {
          labelled = Reflect.apply(metric, metrics, [label]);
        });
        return new GuardedMetric(labelled, guard);
      });
    } else if (metric !== undefined) {
      Reflect.set(guarded, name, new GuardedMetric(metric, guard));
    }
  }
  return guarded;
}

/** Runs the calls of one metric and reports the first error. */
class Guard {
  readonly #name: string;
  #onError: MetricErrorHandler | undefined;

  constructor(name: string, onError: MetricErrorHandler | undefined) {
    this.#name = name;
    this.#onError = onError;
  }

  attempt(call: () => void): void {
    try {
      call();
    } catch (error) {
      const onError = this.#onError;
      this.#onError = undefined;
      try {
        onError?.(error, this.#name);
      } catch {
        // An error of the error handler cannot be reported anywhere.
      }
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

/** A kind of metric: its name, its help and the names of its labels. */
export interface MetricDefinition {
  /** Name, such as `workqueue_depth`. The name of a counter ends with `_total`. */
  readonly name: string;
  /** Sentence about its values, for `# HELP`. */
  readonly help: string;
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
 * library.
 *
 * Each method is called once for each name, and returns a function from the values of the labels to
 * a metric. Values of labels are few: names of controllers and informers, results, codes; never
 * names of objects.
 */
export interface MetricsSink {
  /** Creates a metric that counts up. */
  counter(definition: MetricDefinition): (...labels: readonly string[]) => CounterMetric;
  /** Creates a metric that stores its last value. */
  gauge(definition: MetricDefinition): (...labels: readonly string[]) => GaugeMetric;
  /** Creates a metric that stores the distribution of its values. */
  histogram(definition: MetricDefinition): (...labels: readonly string[]) => HistogramMetric;
}
