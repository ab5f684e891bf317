import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import { systemRandom } from "@listwatch/core-fifo/base";

/** Options of {@link DelaySequence}. */
export interface DelaySequenceOptions {
  /** First delay, in milliseconds. */
  readonly durationMs: number;
  /**
   * Each delay is the one before times this; 0 is the same as 1.
   *
   * @default 1
   */
  readonly factor?: number | undefined;
  /**
   * Each delay is multiplied by a random factor in [1, 1 + jitter).
   *
   * @default 0
   */
  readonly jitter?: number | undefined;
  /**
   * How many delays grow; later ones stay as long as the last of them.
   *
   * @default Infinity
   */
  readonly steps?: number | undefined;
  /**
   * Largest delay before jitter, in milliseconds; a first delay above it is given once.
   *
   * @default Infinity
   */
  readonly capMs?: number | undefined;
  /**
   * The sequence starts again when so many milliseconds have passed since it last started; 0 means
   * that it never grows.
   *
   * @default never
   */
  readonly resetMs?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * A sequence of growing, jittered delays (apimachinery `wait.Backoff`). It only computes them;
 * waiting is up to the caller. {@link KeyedBackoff} keeps one per key.
 *
 * ```ts
 * import { DelaySequence } from "@listwatch/workqueue";
 *
 * const delays = new DelaySequence({ durationMs: 10, factor: 5, steps: 4 });
 * console.assert([delays.next(), delays.next(), delays.next()].join() === "10,50,250");
 * ```
 */
export class DelaySequence {
  readonly #options: DelaySequenceOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  #delayMs: number;
  #steps: number;
  #beganMs: number;

  constructor(options: DelaySequenceOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#delayMs = options.durationMs;
    this.#steps = options.steps ?? Infinity;
    this.#beganMs = this.#clock.now();
  }

  /** The next delay, in milliseconds. */
  next(): number {
    const { durationMs, factor = 1, jitter = 0, steps = Infinity, resetMs } = this.#options;
    if (resetMs === 0) return this.#jittered(durationMs, jitter);
    if (resetMs !== undefined && this.#clock.now() - this.#beganMs > resetMs) {
      this.#delayMs = durationMs;
      this.#steps = steps;
      this.#beganMs = this.#clock.now();
    }
    const delayMs = this.#delayMs;
    if (this.#steps >= 1) {
      this.#steps -= 1;
      this.#grow(factor);
    }
    return this.#jittered(delayMs, jitter);
  }

  #grow(factor: number): void {
    if (factor === 0) return;
    const { capMs = Infinity } = this.#options;
    // Whole nanoseconds at every step, as in Go: fractions that are cut off late would add up to
    // another delay.
    this.#delayMs = Math.trunc(Math.round(this.#delayMs * 1e6) * factor) / 1e6;
    if (this.#delayMs <= capMs) return;
    this.#delayMs = capMs;
    this.#steps = 0;
  }

  #jittered(delayMs: number, jitter: number): number {
    return jitter > 0 ? delayMs * (1 + this.#random() * jitter) : delayMs;
  }
}
