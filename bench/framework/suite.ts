/** A sample that is no cost: what was to be measured ended like this. Only a yardstick may. */
export interface Failure {
  readonly failure: string;
}

/**
 * Takes one sample of a cost, in the unit of its benchmark; less is better. It makes everything it
 * needs itself, and measures only what the benchmark is about.
 */
export type Sampler = () => number | Failure | Promise<number | Failure>;

/** One of the two sides of a comparison. */
export interface Contender {
  readonly name: string;
  readonly sample: Sampler;
}

/**
 * A comparison of costs within one run, so that its result is a ratio that holds on other machines,
 * too.
 */
export interface Benchmark {
  readonly name: string;
  /** Of the costs, such as `ns/event` or `bytes/object`. */
  readonly unit: string;
  /**
   * What the subject is measured against: the naive way, a peer, the same work at another size, a
   * fixed amount.
   */
  readonly yardstick: Contender;
  readonly subject: Contender;
  /** Samples of each side. @default 7 */
  readonly rounds?: number;
  /**
   * Whether a first round does not count; a process of its own has nothing to warm up. @default
   * true
   */
  readonly warmsUp?: boolean;
  /**
   * Whether garbage is collected before each sample, so that no side pays for the other's. It also
   * drops compiled code that has not run for a while: wrong for what costs mostly code. @default
   * true
   */
  readonly collects?: boolean;
  /** The least `yardstick / subject` that is aimed at. */
  readonly goal?: number;
}

/** The benchmarks of one layer. */
export interface Suite {
  readonly name: string;
  /** Made when the suite runs, so that loading a suite costs nothing. */
  benchmarks(): readonly Benchmark[] | Promise<readonly Benchmark[]>;
}

type Run = () => void | Promise<void>;

/**
 * Long enough for the compiler, which works beside the program, also on a machine that is busy with
 * other things.
 */
const warmUpMs = 150;
/** A sample is the fastest of so many runs, or of as many as fit in this time if they are short. */
const leastRuns = 3;
const measuringMs = 60;

/**
 * A sampler of nanoseconds per operation. `prepare` is called once per sample; what it returns is
 * run several times, first to warm up and then to be measured, so it must be repeatable. The
 * fastest run counts: whatever else the machine does can only make a run slower.
 */
export function nanosecondsPer(
  operations: number,
  prepare: () => Run | Promise<Run>,
): () => Promise<number> {
  // Kept until the next sample: V8 throws optimised code away when the last object it was made for
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

/** A contender that costs the same in every round: a limit. */
export function fixed(name: string, cost: number): Contender {
  return { name, sample: () => cost };
}
