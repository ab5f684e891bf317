import type { Clock } from "@listwatch/core-fifo";

/** Lets some requests follow each other at once, and no more than that within a time. */
export class ImmediateRetries {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  #times: number[] = [];

  constructor(max: number, windowMs: number, clock: Clock) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Counts one request without delay; false when it has to wait instead. */
  take(): boolean {
    if (this.#max === Infinity) return true;
    const now = this.#clock.now();
    this.#times = this.#times.filter((time) => now - time < this.#windowMs);
    if (this.#times.length >= this.#max) return false;
    this.#times.push(now);
    return true;
  }
}
