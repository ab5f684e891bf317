export type Work = () => unknown;

/** Ratio of the large work to the small one. */
const factor = 16;
// After the first ones it is enough to be below the limit: a busy machine takes a few more.
const attempts = 8;
const mostAttempts = 32;
// Below this the clock's resolution and the garbage collector outweigh the work.
const leastMs = 1;
const maxRounds = 100_000;

/** The most that linear work may grow by: a third of the growth of quadratic work grows by. */
export const mostOfLinear = 80;

/**
 * Returns how much longer work takes at 16 times the size: 16 for linear, 256 for quadratic work.
 * The shortest of several alternating attempts counts, so that other work on the machine does not.
 * The small work is repeated until it has taken as long as the large one, and so loses as much to
 * whatever else runs. Attempts end early when the growth is clear.
 */
export async function growth(size: number, prepare: (size: number) => Work): Promise<number> {
  const small = new Measured(prepare(size));
  const large = new Measured(prepare(factor * size));
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const tookMs = await large.measure(leastMs);
    await small.measure(tookMs);
    const limit = attempt < attempts ? mostOfLinear / 2 : mostOfLinear;
    if (attempt > 1 && large.shortestMs / small.shortestMs < limit) break;
  }
  return large.shortestMs / small.shortestMs;
}

class Measured {
  /** Shortest time of one round. */
  shortestMs = Infinity;
  readonly #work: Work;
  #rounds = 1;

  constructor(work: Work) {
    this.#work = work;
  }

  /**
   * Repeats the work until it has taken at least that time, and returns how long it took. The first
   * time compiles code and fills caches, so it is not representative.
   */
  async measure(atLeastMs: number): Promise<number> {
    let tookMs = await this.#run();
    while (tookMs < atLeastMs && this.#rounds < maxRounds) {
      this.#rounds *= 2;
      tookMs = await this.#run();
    }
    this.shortestMs = Math.min(this.shortestMs, tookMs / this.#rounds);
    return tookMs;
  }

  async #run(): Promise<number> {
    const start = performance.now();
    for (let round = 0; round < this.#rounds; round++) await this.#work();
    // Some clocks have not advanced after very short work.
    return Math.max(performance.now() - start, leastMs / 10);
  }
}
