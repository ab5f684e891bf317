import { systemClock, systemRandom, type Clock, type Random } from "@listwatch/core-fifo";
import { checkAtLeast } from "@listwatch/core-fifo/base";

/** Options of a {@link Backoff}. */
export interface BackoffOptions {
  /**
   * First delay, in milliseconds.
   *
   * @default 800 (client-go `NewReflectorWithOptions`, tools/cache/reflector.go)
   */
  readonly baseMs?: number | undefined;
  /** @default 2 */
  readonly factor?: number | undefined;
  /**
   * Largest delay before jitter, in milliseconds.
   *
   * @default 30_000
   */
  readonly capMs?: number | undefined;
  /**
   * Each delay is multiplied by a random factor in [1, 1 + jitter).
   *
   * @default 1
   */
  readonly jitter?: number | undefined;
  /**
   * Time after which the sequence starts over, in milliseconds.
   *
   * @default 120_000
   */
  readonly resetMs?: number | undefined;
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
  /** @default systemRandom */
  readonly random?: Random | undefined;
}

/**
 * A sequence of growing, jittered delays: with the defaults [0.8, 1.6) s, [1.6, 3.2) s, ... up to
 * [30, 60) s. It only computes them; waiting is up to the caller.
 */
export class Backoff {
  readonly #baseMs: number;
  readonly #factor: number;
  readonly #capMs: number;
  readonly #jitter: number;
  readonly #resetMs: number;
  readonly #resetRule: "quiet" | "interval";
  readonly #clock: Clock;
  readonly #random: Random;
  #currentMs: number;
  /** The moment from which the time to the reset counts. */
  #since: number;

  /** @throws {InvalidOptionsError} if a number is negative or not finite, or the factor is below 1 */
  constructor(options: BackoffOptions = {}) {
    checkAtLeast("backoff.baseMs", options.baseMs, 0);
    checkAtLeast("backoff.factor", options.factor, 1);
    checkAtLeast("backoff.capMs", options.capMs, 0);
    checkAtLeast("backoff.jitter", options.jitter, 0);
    checkAtLeast("backoff.resetMs", options.resetMs, 0);
    this.#baseMs = options.baseMs ?? 800;
    this.#factor = options.factor ?? 2;
    this.#capMs = options.capMs ?? 30_000;
    this.#jitter = options.jitter ?? 1;
    this.#resetMs = options.resetMs ?? 120_000;
    this.#resetRule = options.resetRule ?? "quiet";
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#currentMs = this.#baseMs;
    this.#since = this.#clock.now();
  }

  /**
   * The next delay, in milliseconds.
   *
   * @param atLeastMs lower bound, such as what a Retry-After header asked for
   */
  next(atLeastMs = 0): number {
    const now = this.#clock.now();
    if (now - this.#since > this.#resetMs) {
      this.#currentMs = this.#baseMs;
      this.#since = now;
    }
    const delayMs = Math.max(this.#currentMs * (1 + this.#random() * this.#jitter), atLeastMs);
    this.#currentMs = Math.min(this.#currentMs * this.#factor, this.#capMs);
    if (this.#resetRule === "quiet") this.#since = now + delayMs;
    return delayMs;
  }
}
