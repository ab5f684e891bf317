import type { Clock } from "@listwatch/core-fifo";

/** Failures further apart than this do not belong together (client-go `RetryWithDeadline`, REF-41). */
const forgetMs = 60_000;

/** How long a row of the server's internal errors may be answered by trying again in place. */
export class ErrorBudget {
  readonly #maxMs: number;
  readonly #clock: Clock;
  #first: number | undefined;
  #last = 0;

  constructor(maxMs: number, clock: Clock) {
    this.#maxMs = maxMs;
    this.#clock = clock;
  }

  /** Notes a failure and says whether to try again in place. */
  allows(): boolean {
    const now = this.#clock.now();
    if (this.#first === undefined || now - this.#last >= forgetMs) this.#first = now;
    this.#last = now;
    if (this.#maxMs <= 0) return false;
    if (now - this.#first <= this.#maxMs) return true;
    this.#first = undefined;
    return false;
  }
}
