/** A metric that counts up. */
export interface CounterMetric {
  inc(): void;
}

/** A metric that holds the last value. */
export interface GaugeMetric {
  set(value: number): void;
}

/** A metric that keeps the distribution of its values: a histogram or a summary. */
export interface HistogramMetric {
  observe(value: number): void;
}

/** A metric, or a function that gives the metric for the value of a label. */
export type AnyMetric =
  | CounterMetric
  | GaugeMetric
  | HistogramMetric
  | ((label: never) => AnyMetric);

/** Called with what a metric threw, and the name under which the metric was given. */
export type MetricErrorHandler = (error: unknown, metric: string) => void;

/**
 * Wraps a set of metrics so that none of them throws: a metric is not worth a failure of what it
 * measures. A value that a metric fails to take is lost.
 *
 * @param metrics an object with metrics, or functions from a label's value to a metric, as its
 *   members
 * @param onError called with the first failure of each metric; what it throws is dropped
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

/** Runs the calls of one metric and reports the first that fails. */
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
        // A failing report of a failing metric has no other place to go.
      }
    }
  }
}

/** Has the methods of every kind of metric; only those of the wrapped metric's kind are called. */
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
