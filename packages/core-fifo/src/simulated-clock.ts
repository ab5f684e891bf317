import { systemClock, type Clock, type Timer } from "./clock.ts";

/** Options of {@link SimulatedClock}. */
export interface SimulatedClockOptions {
  /**
   * What {@link SimulatedClock.now} says at the beginning, in milliseconds since 1970.
   * @default 0
   */
  readonly startMs?: number | undefined;
}

interface SimulatedTimer {
  readonly dueMs: number;
  readonly callback: () => void;
}

/**
 * Turns of the event loop in which nothing happened, after which a program counts as idle. One turn drains every
 * microtask, which is how streams, queues and promises go on; the second is for what needed a turn of its own.
 */
const quietTurns = 2;

/**
 * A clock that stands still until it is told to move, for deterministic tests of anything that waits.
 *
 * Timers fire in the order of their due time, those of one instant in the order in which they were started, and
 * between two timers everything that the first one caused runs to its end. Hours take milliseconds.
 *
 * ```ts
 * import { sleep } from "@listwatch/core-fifo";
 * import { SimulatedClock } from "@listwatch/core-fifo/testing";
 *
 * const clock = new SimulatedClock();
 * let awake = false;
 * const slept = sleep(3_600_000, { clock }).then(() => (awake = true));
 * await clock.advance(3_599_999);
 * console.assert(!awake);
 * await clock.advance(1);
 * console.assert(awake);
 * await slept;
 * ```
 */
export class SimulatedClock implements Clock {
  #nowMs: number;
  // Insertion order is the order of equal due times.
  readonly #timers = new Set<SimulatedTimer>();
  #pendingTurns = 0;
  /** Counts what a program does with this clock; when it stands still, nobody here is at work. */
  #activity = 0;
  #advancing = false;

  constructor(options: SimulatedClockOptions = {}) {
    this.#nowMs = options.startMs ?? 0;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const timer: SimulatedTimer = { callback, dueMs: this.#nowMs + Math.max(0, delayMs) };
    this.#timers.add(timer);
    this.#activity += 1;
    return {
      cancel: () => {
        if (this.#timers.delete(timer)) this.#activity += 1;
      },
    };
  }

  /** Resolves in a later turn of the real event loop; needs no {@link SimulatedClock.advance}. */
  async nextTurn(): Promise<void> {
    this.#activity += 1;
    this.#pendingTurns += 1;
    await systemClock.nextTurn();
    this.#pendingTurns -= 1;
  }

  /** How many timers wait for their time. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** When the next timer is due, in milliseconds since 1970; `undefined` without timers. */
  get nextTimerMs(): number | undefined {
    return this.#earliest()?.dueMs;
  }

  /**
   * Lets `ms` milliseconds pass. Every timer that falls due fires at its own time, also one that falls due exactly
   * at the end and one that another timer starts on the way. The program is idle when the promise resolves.
   *
   * @throws {RangeError} if `ms` is negative or no number
   * @throws {Error} if the clock is already being advanced
   * @throws what a timer's callback throws; the clock then stands at the time of that timer
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) {
      throw new RangeError(
        `Couldn't advance the clock: expected 0 or more milliseconds, got ${ms}`,
      );
    }
    if (this.#advancing) {
      throw new Error("Couldn't advance the clock: it is being advanced already");
    }
    this.#advancing = true;
    try {
      const endMs = this.#nowMs + ms;
      await this.settle();
      for (let next = this.#earliest(); next !== undefined; next = this.#earliest()) {
        if (next.dueMs > endMs) break;
        this.#nowMs = Math.max(this.#nowMs, next.dueMs);
        this.#timers.delete(next);
        next.callback();
        await this.settle();
      }
      this.#nowMs = endMs;
    } finally {
      this.#advancing = false;
    }
  }

  /** Lets everything run that can run without time passing: microtasks, turns of the event loop, streams. */
  async settle(): Promise<void> {
    let quiet = 0;
    while (quiet < quietTurns) {
      const before = this.#activity;
      await systemClock.nextTurn();
      quiet = this.#activity === before && this.#pendingTurns === 0 ? quiet + 1 : 0;
    }
  }

  #earliest(): SimulatedTimer | undefined {
    let earliest: SimulatedTimer | undefined;
    for (const timer of this.#timers) {
      if (earliest === undefined || timer.dueMs < earliest.dueMs) earliest = timer;
    }
    return earliest;
  }
}
