import type { Clock } from "@listwatch/core-fifo";

/** Failures further apart than this do not belong together (client-go `minResetPeriod`). */
const forgetMs = 60_000;

/**
 * For how long a row of failures is answered by a retry in place (client-go `RetryWithDeadline`,
 * tools/cache/retry_with_deadline.go).
 */
export class RetryWithDeadline {
  readonly #maxMs: number;
  readonly #clock: Clock;
  #firstMs: number | undefined;
  #lastMs = 0;

  constructor(maxMs: number, clock: Clock) {
    this.#maxMs = maxMs;
    this.#clock = clock;
  }

  /** Notes a failure; returns whether to retry in place. */
  shouldRetry(): boolean {
    const now = this.#clock.now();
    if (this.#firstMs === undefined || now - this.#lastMs >= forgetMs) this.#firstMs = now;
    this.#lastMs = now;
    if (this.#maxMs <= 0) return false;
    if (now - this.#firstMs <= this.#maxMs) return true;
    this.#firstMs = undefined;
    return false;
  }
}
