export type Work = () => unknown;

/** Ratio of the large work to the small one. */
const factor = 16;
const attempts = 8;
// Below this the clock's resolution and the garbage collector outweigh the work.
const leastMs = 1;
const maxRounds = 100_000;

/**
 * Largest growth of linear work: five times the expected factor, so that a busy machine causes no
 * failure, and a third of the growth of quadratic work.
 */
export const mostOfLinear = 80;

/**
 * Returns how much longer work takes at 16 times the size: 16 for linear, 256 for quadratic work.
 * The shortest of several alternating attempts counts, so that other work on the machine does not.
 * Short work is repeated in one attempt. Attempts end early when the growth is clear.
 */
export async function growth(size: number, prepare: (size: number) => Work): Promise<number> {
  const small = new Measured(prepare(size));
  const large = new Measured(prepare(factor * size));
  for (let attempt = 0; attempt < attempts; attempt++) {
    await small.measure();
    await large.measure();
    if (attempt > 0 && large.shortestMs / small.shortestMs < mostOfLinear / 2) break;
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
   * Repeats the work until it takes long enough to be measured. The first time compiles code and
   * fills caches, so it is not representative.
   */
  async measure(): Promise<void> {
    let tookMs = await this.#run();
    while (tookMs < leastMs && this.#rounds < maxRounds) {
      this.#rounds *= 2;
      tookMs = await this.#run();
    }
    this.shortestMs = Math.min(this.shortestMs, tookMs / this.#rounds);
  }

  async #run(): Promise<number> {
    const start = performance.now();
    for (let round = 0; round < this.#rounds; round++) await this.#work();
    // Some clocks have not advanced after very short work.
    return Math.max(performance.now() - start, leastMs / 10);
  }
}
