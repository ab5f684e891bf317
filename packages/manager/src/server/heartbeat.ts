import type { Clock, Timer } from "@listwatch/core-fifo";
import { describeDuration } from "@listwatch/core-fifo/base";

/** Time between two beats, as a part of the limit. */
const beatsPerLimit = 10;

/**
 * Notices that the event loop was blocked, by a timer that compares its turns with the clock. A
 * check that runs when a probe arrives is not enough: by then the loop turns again.
 */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #limitMs: number;
  #lastMs: number;
  /** The longest recent gap between two beats, and its end. */
  #gap: { readonly ms: number; readonly endMs: number } | undefined;
  #timer: Timer | undefined;

  /** @param limitMs time without a turn after which the loop counts as blocked */
  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#lastMs = clock.now();
  }

  start(): void {
    this.#lastMs = this.#clock.now();
    this.#wait();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /**
   * Returns a sentence if the loop was blocked beyond the limit, and that ended less than a limit
   * ago; otherwise `undefined`.
   */
  check(): string | undefined {
    const now = this.#clock.now();
    const current = now - this.#lastMs;
    // A probe may be answered before the late timer fires.
    if (current > this.#limitMs) return describe(current);
    const gap = this.#gap;
    return gap !== undefined && now - gap.endMs <= this.#limitMs ? describe(gap.ms) : undefined;
  }

  #wait(): void {
    this.#timer = this.#clock.setTimeout(() => {
      const now = this.#clock.now();
      const ms = now - this.#lastMs;
      if (ms > this.#limitMs) this.#gap = { ms, endMs: now };
      this.#lastMs = now;
      this.#wait();
    }, this.#limitMs / beatsPerLimit);
  }
}

function describe(ms: number): string {
  return `the event loop was blocked for ${describeDuration(ms)}`;
}
