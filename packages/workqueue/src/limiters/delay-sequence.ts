import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import {
  aClock,
  aFunction,
  aNumber,
  Backoff,
  checkOptions,
  systemRandom,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link DelaySequence}. */
export interface DelaySequenceOptions {
  /** First delay, in milliseconds. */
  readonly durationMs: number;
  /**
   * Each delay is the previous one multiplied by this; 0 means 1.
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
   * Number of delays that grow. Later ones stay as long as the last of these.
   *
   * @default Infinity
   */
  readonly steps?: number | undefined;
  /**
   * Largest delay before jitter, in milliseconds. A larger `durationMs` is returned once.
   *
   * @default Infinity
   */
  readonly capMs?: number | undefined;
  /**
   * Restarts the sequence this long after its last start, in milliseconds; 0 means that delays
   * never grow.
   *
   * @default never
   */
  readonly resetMs?: number | undefined;
  /** Clock for `resetMs`. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Source of the jitter, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

const delayTable: OptionsOf<DelaySequenceOptions> = {
  durationMs: aNumber(0),
  factor: aNumber(0),
  jitter: aNumber(0),
  steps: aNumber(0),
  capMs: aNumber(0),
  resetMs: aNumber(0),
  clock: aClock,
  random: aFunction,
};

/**
 * A sequence of growing, jittered delays (apimachinery `wait.Backoff`). It only computes them; the
 * caller waits.
 *
 * ```ts
 * import { DelaySequence } from "@listwatch/workqueue";
 *
 * const delays = new DelaySequence({ durationMs: 10, factor: 5, steps: 4 });
 * console.assert([delays.next(), delays.next(), delays.next()].join() === "10,50,250");
 * ```
 */
export class DelaySequence {
  readonly #delays: Backoff;

  constructor(options: DelaySequenceOptions) {
    checkOptions(options, delayTable, ["durationMs"]);
    const { durationMs, factor = 1, jitter = 0, capMs = Infinity, resetMs = Infinity } = options;
    this.#delays = new Backoff({
      baseMs: durationMs,
      factor,
      jitter,
      capMs,
      steps: factor === 0 || resetMs === 0 ? 0 : options.steps,
      resetMs,
      resetRule: "interval",
      clock: options.clock ?? systemClock,
      random: options.random ?? systemRandom,
    });
  }

  /** Returns the next delay, in milliseconds. */
  next(): number {
    return this.#delays.next();
  }
}
