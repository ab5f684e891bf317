import type { Clock } from "@listwatch/core-fifo";

/**
 * Longest time a computation keeps the event loop for itself: half a frame at 60 Hz. A turn costs
 * some microseconds, so that shorter slices would not cost much either, but gain nothing visible.
 */
const sliceMs = 8;

/** Tells a long computation when it is time to let others run. */
export class TimeSlice {
  readonly #clock: Clock;
  #start: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#start = clock.now();
  }

  get isOver(): boolean {
    return this.#clock.now() - this.#start >= sliceMs;
  }

  /** Lets others run and begins a new slice. */
  async next(): Promise<void> {
    await this.#clock.nextTurn();
    this.#start = this.#clock.now();
  }
}
