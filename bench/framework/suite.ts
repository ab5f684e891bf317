/**
 * Takes one sample of a cost, in the unit of its benchmark; less is better. It makes everything it needs anew, and
 * measures only what the benchmark is about.
 */
export type Sampler = () => number | Promise<number>;

/** One of the two sides of a comparison. */
export interface Contender {
  readonly name: string;
  readonly sample: Sampler;
}

/** A comparison of costs within one run, so that its result is a ratio that holds on other machines, too. */
export interface Benchmark {
  readonly name: string;
  /** Of the costs, such as `ns/event` or `bytes/object`. */
  readonly unit: string;
  /** What the subject is measured against: the naive way, a peer, the same work at another size, a fixed amount. */
  readonly yardstick: Contender;
  readonly subject: Contender;
  /** Samples of each side. @default 7 */
  readonly rounds?: number;
  /** The least `yardstick / subject` that is aimed at. */
  readonly goal?: number;
}

/** The benchmarks of one layer. */
export interface Suite {
  readonly name: string;
  /** Made when the suite runs, so that loading a suite costs nothing. */
  benchmarks(): readonly Benchmark[] | Promise<readonly Benchmark[]>;
}

/** A sampler of nanoseconds per operation: `prepare` is not measured, what it returns is. */
export function nanosecondsPer(
  operations: number,
  prepare: () => () => void | Promise<void>,
): Sampler {
  return async () => {
    const run = prepare();
    const startMs = performance.now();
    const running = run();
    if (running !== undefined) await running;
    return ((performance.now() - startMs) * 1e6) / operations;
  };
}

/** A contender that costs the same in every round: a limit. */
export function fixed(name: string, cost: number): Contender {
  return { name, sample: () => cost };
}
