import { sleep, type Clock } from "@listwatch/core-fifo";

/** Time within which requests are counted. */
const windowMs = 10_000;

/**
 * Bounds the requests of one object, whatever the server does to it: not more than so many begin
 * within 10 s. The pages of one list count as one request.
 */
export class RequestBudget {
  readonly #max: number;
  readonly #clock: Clock;
  /** When the last requests began, the oldest first. */
  #begunMs: readonly number[] = [];

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /**
   * Counts a request, after a wait if there were too many lately.
   *
   * @throws the reason of the signal when it is aborted before
   */
  async take(signal: AbortSignal | undefined): Promise<void> {
    if (this.#max === Infinity) return;
    for (;;) {
      const now = this.#clock.now();
      this.#begunMs = this.#begunMs.filter((time) => now - time <= windowMs);
      const [oldest] = this.#begunMs;
      if (oldest === undefined || this.#begunMs.length < this.#max) {
        this.#begunMs = [...this.#begunMs, now];
        return;
      }
      await sleep(oldest + windowMs + 1 - now, { clock: this.#clock, signal });
    }
  }
}
