/** A sample without a cost, because the measured work failed. Only a yardstick may fail. */
export interface Failure {
  readonly failure: string;
}

/**
 * Takes one sample of a cost, in the unit of its benchmark; less is better. It prepares everything
 * itself, and measures only the subject of the benchmark.
 */
export type Sampler = () => number | Failure | Promise<number | Failure>;

export interface Contender {
  readonly name: string;
  readonly sample: Sampler;
}

/** A comparison of costs within one run. Its result is a ratio, which also holds on other machines. */
export interface Benchmark {
  readonly name: string;
  /** Unit of the costs, such as `ns/event` or `bytes/object`. */
  readonly unit: string;
  /** Reference for the subject: a naive way, a peer, the same work at another size, a fixed cost. */
  readonly yardstick: Contender;
  readonly subject: Contender;
  /** Samples of each side. @default 7 */
  readonly rounds?: number;
  /** Whether a first round does not count; a separate process needs no warm-up. @default true */
  readonly warmsUp?: boolean;
  /**
   * Whether garbage is collected before each sample, so that no side pays for the other's. It also
   * drops compiled code that has not run for a while, so it distorts costs that are mostly code.
   *
   * @default true
   */
  readonly collects?: boolean;
  /** Lower bound for `yardstick / subject`. */
  readonly goal?: number;
}

export interface Suite {
  readonly name: string;
  /** Called when the suite runs, so that loading a suite costs nothing. */
  benchmarks(): readonly Benchmark[] | Promise<readonly Benchmark[]>;
}

type Run = () => void | Promise<void>;

/** Long enough for the compiler, which runs concurrently, also on a busy machine. */
const warmUpMs = 150;
/** A sample is the fastest of at least this many runs; short runs repeat for `measuringMs`. */
const leastRuns = 3;
const measuringMs = 60;

/**
 * A sampler of nanoseconds per operation. `prepare` is called once per sample. Its result runs
 * several times, first to warm up and then measured, so it must be repeatable. The fastest run
 * counts: other load of the machine can only make a run slower.
 */
export function nanosecondsPer(
  operations: number,
  prepare: () => Run | Promise<Run>,
): () => Promise<number> {
  // Kept until the next sample: V8 drops optimised code when the last object that it was made for
  // is collected.
  let run: Run | undefined;
  return async () => {
    run = await prepare();
    await leastTimeOf(run, 1, warmUpMs);
    return ((await leastTimeOf(run, leastRuns, measuringMs)) * 1e6) / operations;
  };
}

async function leastTimeOf(run: Run, runs: number, totalMs: number): Promise<number> {
  let leastMs = Infinity;
  const endMs = performance.now() + totalMs;
  for (let index = 0; index < runs || performance.now() < endMs; index += 1) {
    const startMs = performance.now();
    const running = run();
    if (running !== undefined) await running;
    leastMs = Math.min(leastMs, performance.now() - startMs);
  }
  return leastMs;
}

/** A contender with a constant cost: a limit. */
export function fixed(name: string, cost: number): Contender {
  return { name, sample: () => cost };
}
