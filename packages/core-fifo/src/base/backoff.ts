import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/**
 * Returns a delay multiplied by a factor, at most `capMs`. Like Go, it truncates to nanoseconds, at
 * every step of a sequence: later truncation would give other delays.
 */
export function growDelay(delayMs: number, factor: number, capMs: number = Infinity): number {
  return Math.min(Math.trunc(Math.round(delayMs * 1e6) * factor) / 1e6, capMs);
}

/** Returns a delay multiplied by a random factor in [1, 1 + jitter). */
export function jitterDelay(delayMs: number, jitter: number, random: Random): number {
  return delayMs * (1 + random() * jitter);
}

export interface BackoffOptions {
  /** First delay, in milliseconds. */
  readonly baseMs: number;
  readonly factor: number;
  readonly jitter: number;
  /** Largest delay before jitter. A larger `baseMs` is returned once. */
  readonly capMs: number;
  /** Number of delays that grow. @default Infinity */
  readonly steps?: number | undefined;
  readonly resetMs: number;
  /**
   * When the sequence starts over. `"interval"`: `resetMs` after its last start, whatever happened
   * in between. `"quiet"`: `resetMs` after the end of the last delay, so that an outage keeps its
   * long delays.
   */
  readonly resetRule: "interval" | "quiet";
  readonly clock: Clock;
  readonly random: Random;
}

/** A sequence of growing, jittered delays. It only computes them; the caller waits. */
export class Backoff {
  readonly #options: BackoffOptions;
  #delayMs = 0;
  #steps = 0;
  /** The time from which the reset counts. */
  #sinceMs = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#start(options.clock.now());
  }

  /**
   * Returns the next delay, in milliseconds.
   *
   * @param atLeastMs lower bound, such as the delay of a Retry-After header
   * @param atMostMs upper bound, jitter included. A delay that it shortens does not lengthen later
   *   delays.
   */
  next(atLeastMs = 0, atMostMs: number = Infinity): number {
    const { clock, jitter, random, resetMs, resetRule } = this.#options;
    const now = clock.now();
    if (now - this.#sinceMs > resetMs) this.#start(now);
    const longestMs = atMostMs / (1 + jitter);
    const meantMs = Math.min(this.#delayMs, longestMs);
    const delayMs = Math.max(jitterDelay(meantMs, jitter, random), atLeastMs);
    if (longestMs >= this.#delayMs) this.#grow();
    if (resetRule === "quiet") this.#sinceMs = now + delayMs;
    return delayMs;
  }

  #start(now: number): void {
    const { baseMs, steps = Infinity } = this.#options;
    this.#delayMs = baseMs;
    this.#steps = steps;
    this.#sinceMs = now;
  }

  #grow(): void {
    if (this.#steps < 1) return;
    const { capMs, factor } = this.#options;
    const grownMs = growDelay(this.#delayMs, factor);
    this.#delayMs = Math.min(grownMs, capMs);
    this.#steps = grownMs > capMs ? 0 : this.#steps - 1;
  }
}
