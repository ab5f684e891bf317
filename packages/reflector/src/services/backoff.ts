import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import { systemRandom } from "@listwatch/core-fifo/base";
import type { BackoffOptions } from "../options/options.ts";
import { resolveOptions, type Resolved } from "../options/resolve-options.ts";

/** Rule of the restart, time and chance of a {@link Backoff}. */
interface BackoffParts {
  /**
   * `"quiet"`: when that time passed since the last delay ended, so that an outage keeps its long
   * delays. `"interval"`: when it passed since the sequence last began, whatever happened in
   * between (client-go since 1.36).
   *
   * @default "quiet"
   */
  readonly resetRule?: "quiet" | "interval" | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
  readonly random?: Random | undefined;
}

/**
 * A sequence of growing, jittered delays: with the defaults [0.8, 1.6) s, [1.6, 3.2) s, ... up to
 * [30, 60) s. It only computes them; waiting is up to the caller.
 */
export class Backoff {
  readonly #options: Resolved<BackoffOptions & BackoffParts>;
  #currentMs: number;
  /** The moment from which the time to the reset counts. */
  #since: number;

  constructor(options: BackoffOptions & BackoffParts = {}) {
    this.#options = resolveOptions<Resolved<BackoffOptions & BackoffParts>>(options, {
      baseMs: 800,
      factor: 2,
      capMs: 30_000,
      jitter: 1,
      resetMs: 120_000,
      resetRule: "quiet",
      clock: systemClock,
      random: systemRandom,
    });
    this.#currentMs = this.#options.baseMs;
    this.#since = this.#options.clock.now();
  }

  /**
   * The next delay, in milliseconds.
   *
   * @param atLeastMs lower bound, such as what a Retry-After header asked for
   * @param atMostMs upper bound, jitter included. A delay that it shortens does not lengthen those
   *   that follow.
   */
  next(atLeastMs = 0, atMostMs: number = Infinity): number {
    const { baseMs, capMs, clock, factor, jitter, random, resetMs, resetRule } = this.#options;
    const now = clock.now();
    if (now - this.#since > resetMs) {
      this.#currentMs = baseMs;
      this.#since = now;
    }
    const longestMs = atMostMs / (1 + jitter);
    const isShortened = longestMs < this.#currentMs;
    const meantMs = isShortened ? longestMs : this.#currentMs;
    const delayMs = Math.max(meantMs * (1 + random() * jitter), atLeastMs);
    if (!isShortened) this.#currentMs = Math.min(this.#currentMs * factor, capMs);
    if (resetRule === "quiet") this.#since = now + delayMs;
    return delayMs;
  }
}
