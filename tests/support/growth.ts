/** Work to be measured. */
export type Work = () => unknown;

/** How many times larger the large work is. */
const factor = 16;
const attempts = 8;
// Below this the resolution of the clock and the collector of garbage count more than the work.
const leastMs = 1;

/**
 * The most that linear work may grow by: five times what it should, so that a machine that is busy
 * with other things fails nothing, and a third of what quadratic work grows by.
 */
export const mostOfLinear = 80;

/**
 * How much longer work takes at 16 times the size: 16 for what is linear, 256 for what is
 * quadratic. The shortest of several attempts counts, which take turns, so that other work on the
 * machine does not. Work that is short is done several times in one attempt. Attempts end early
 * when the growth is clear.
 */
export async function growth(size: number, prepare: (size: number) => Work): Promise<number> {
  const small = await Measured.start(prepare(size));
  const large = await Measured.start(prepare(factor * size));
  for (let attempt = 0; attempt < attempts; attempt++) {
    await small.measure();
    await large.measure();
    const ratio = large.shortestMs / small.shortestMs;
    if (attempt > 0 && (ratio > 4 * mostOfLinear || ratio < mostOfLinear / 2)) break;
  }
  return large.shortestMs / small.shortestMs;
}

class Measured {
  /** The shortest time of one round of the work. */
  shortestMs = Infinity;
  readonly #work: Work;
  #rounds = 1;

  private constructor(work: Work) {
    this.#work = work;
  }

  /** Finds how often the work must be done to be measured, which also compiles its code. */
  static async start(work: Work): Promise<Measured> {
    const measured = new Measured(work);
    while (measured.#rounds < 100_000 && (await measured.#run()) < leastMs) measured.#rounds *= 2;
    return measured;
  }

  async measure(): Promise<void> {
    this.shortestMs = Math.min(this.shortestMs, (await this.#run()) / this.#rounds);
  }

  async #run(): Promise<number> {
    const start = performance.now();
    for (let round = 0; round < this.#rounds; round++) await this.#work();
    // Some clocks have not moved after work that is over at once.
    return Math.max(performance.now() - start, leastMs / 10);
  }
}
