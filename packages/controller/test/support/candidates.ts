import type { Clock, Timer } from "@listwatch/core-fifo";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";

/** Deviation of a machine's clock from simulated time. */
export interface ClockSkew {
  /** Constant difference; negative if the clock is slow. */
  readonly offsetMs: number;
  /** Speed as a factor. */
  readonly rate: number;
}

const tickMs = 25;

/**
 * The clock of a machine: wrong, and too fast or too slow. It stands still for its programs while
 * the machine sleeps.
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

  /** Whether it sleeps, or woke in this millisecond and has missed timers left to fire. */
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
    // Rounded up to a tick, so that many machines share an instant of the simulation. Any timer may
    // be that late.
    const dueMs = Math.ceil((this.#base.now() + delayMs / this.#skew.rate) / tickMs) * tickMs;
    timer = this.#base.setTimeout(fire, dueMs - this.#base.now());
    return { cancel: () => timer.cancel() };
  }

  nextTurn(): Promise<void> {
    return this.#base.nextTurn();
  }

  /** Suspends the machine's programs. Missed timers fire when it wakes. */
  sleep(ms: number): void {
    this.#wakeMs = Math.max(this.#wakeMs, Math.ceil((this.#base.now() + ms) / tickMs) * tickMs);
  }

  async awake(): Promise<void> {
    while (this.isAsleep) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#base.setTimeout(resolve, this.#wakeMs - this.#base.now());
      await promise;
    }
  }
}
