import type { Clock, Timer } from "@listwatch/core-fifo";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";

/** How the clock of one machine differs from the simulated time. */
export interface ClockSkew {
  /** Ahead by so much, or behind. */
  readonly offsetMs: number;
  /** Runs so many times as fast. */
  readonly rate: number;
}

const tickMs = 25;

/**
 * The clock of a machine: off, too fast or too slow, and standing still for its programs while the
 * machine sleeps.
 */
export class MachineClock implements Clock {
  readonly #base: SimulatedClock;
  readonly #skew: ClockSkew;
  readonly #startMs: number;
  #wakeMs = 0;

  constructor(base: SimulatedClock, skew: ClockSkew) {
    this.#base = base;
    this.#startMs = base.now();
    this.#skew = skew;
  }

  get isAsleep(): boolean {
    return this.#base.now() < this.#wakeMs;
  }

  /**
   * Whether it sleeps, or woke in this very millisecond and still has to go through the timers it
   * missed.
   */
  get isDrowsy(): boolean {
    return this.#base.now() < this.#wakeMs + 1;
  }

  now(): number {
    return (
      this.#startMs + (this.#base.now() - this.#startMs) * this.#skew.rate + this.#skew.offsetMs
    );
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    let timer: Timer;
    const fire = (): void => {
      if (this.isAsleep) timer = this.#base.setTimeout(fire, this.#wakeMs - this.#base.now());
      else callback();
    };
    // Late by less than a tick, as any timer may be, so that many machines share an instant of the
    // simulation.
    const dueMs = Math.ceil((this.#base.now() + delayMs / this.#skew.rate) / tickMs) * tickMs;
    timer = this.#base.setTimeout(fire, dueMs - this.#base.now());
    return { cancel: () => timer.cancel() };
  }

  nextTurn(): Promise<void> {
    return this.#base.nextTurn();
  }

  /** No program of the machine runs for so long; what its timers missed comes when it wakes. */
  sleep(ms: number): void {
    this.#wakeMs = Math.max(this.#wakeMs, Math.ceil((this.#base.now() + ms) / tickMs) * tickMs);
  }

  /** Resolves when the machine is awake: at once if it is. */
  async awake(): Promise<void> {
    while (this.isAsleep) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#base.setTimeout(resolve, this.#wakeMs - this.#base.now());
      await promise;
    }
  }
}
