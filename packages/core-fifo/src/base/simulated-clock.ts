import { systemClock, type Clock, type Timer } from "./clock.ts";
import { RankedHeap, type RankedNode } from "./ranked-heap.ts";
import { isRealWorkUnderWay, realWorkEnded } from "./runtime.ts";
import { aNumber, checkOptions } from "./options.ts";

/** Options of {@link SimulatedClock}. */
export interface SimulatedClockOptions {
  /**
   * Initial value of {@link SimulatedClock.now}, in milliseconds since 1970.
   *
   * @default 0
   */
  readonly startMs?: number | undefined;
}

/** A timer. Its rank is the time at which it is due. */
interface SimulatedTimer extends RankedNode {
  readonly dueMs: number;
  readonly callback: () => void;
  /** Whether it has neither fired nor been cancelled. */
  isWaiting: boolean;
}

/**
 * Number of idle turns of the event loop after which a program counts as idle. One turn drains all
 * microtasks of streams, queues and promises. The second is for work that itself needs a turn.
 */
const quietTurns = 2;

/**
 * A clock that only moves when {@link SimulatedClock.advance} is called, for deterministic tests of
 * anything that waits.
 *
 * Timers fire by due time, then in the order of their starts. All work that a timer causes runs
 * before the next one fires. Hours take milliseconds. Starting, cancelling and firing a timer is
 * O(log n) in the number of waiting timers.
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
  readonly #timers = new RankedHeap<SimulatedTimer>();
  #pendingTurns = 0;
  /** Counts what a program does with this clock. While it does not change, the program is idle. */
  #activity = 0;
  #advancing = false;

  constructor(options: SimulatedClockOptions = {}) {
    checkOptions(options, { startMs: aNumber(0) });
    this.#nowMs = options.startMs ?? 0;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    // NaN counts as no delay, as in a runtime's timers.
    const dueMs = this.#nowMs + (delayMs > 0 ? delayMs : 0);
    const timer: SimulatedTimer = { callback, dueMs, isWaiting: true, place: 0 };
    this.#timers.push(timer, dueMs);
    this.#activity += 1;
    return {
      cancel: () => {
        if (this.#stop(timer)) this.#activity += 1;
      },
    };
  }

  /** Resolves in a later turn of the real event loop, without {@link SimulatedClock.advance}. */
  async nextTurn(): Promise<void> {
    this.#activity += 1;
    this.#pendingTurns += 1;
    await systemClock.nextTurn();
    this.#pendingTurns -= 1;
  }

  /** Number of waiting timers. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  /** Due time of the next timer, in milliseconds since 1970; `undefined` without timers. */
  get nextTimerMs(): number | undefined {
    return this.#timers.peek()?.dueMs;
  }

  /**
   * Lets `ms` milliseconds pass. Every timer that is due by then fires at its own time, including
   * one that is due exactly at the end and one that another timer starts. The program is idle when
   * the promise resolves.
   *
   * @throws {RangeError} if `ms` is negative or not a number
   * @throws {Error} if the clock is already being advanced
   * @throws the error of a timer's callback; the clock then shows the time of that timer
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) {
      throw new RangeError(`Cannot advance the clock: expected 0 or more milliseconds, got ${ms}`);
    }
    if (this.#advancing) {
      throw new Error("Cannot advance the clock: it is being advanced already");
    }
    this.#advancing = true;
    try {
      const endMs = this.#nowMs + ms;
      await this.settle();
      for (let next = this.#timers.peek(); next !== undefined; next = this.#timers.peek()) {
        if (next.dueMs > endMs) break;
        this.#nowMs = Math.max(this.#nowMs, next.dueMs);
        this.#stop(next);
        next.callback();
        await this.settle();
      }
      this.#nowMs = endMs;
    } finally {
      this.#advancing = false;
    }
  }

  /**
   * Runs everything that needs no time to pass: microtasks, turns of the event loop, streams, and
   * work marked as real-time work.
   */
  async settle(): Promise<void> {
    let quiet = 0;
    while (quiet < quietTurns) {
      const before = this.#activity;
      await systemClock.nextTurn();
      const isBusy = isRealWorkUnderWay();
      if (isBusy) await realWorkEnded();
      const isQuiet = !isBusy && this.#activity === before && this.#pendingTurns === 0;
      quiet = isQuiet ? quiet + 1 : 0;
    }
  }

  /** Removes a timer. Returns false if it has fired or was cancelled. */
  #stop(timer: SimulatedTimer): boolean {
    if (!timer.isWaiting) return false;
    this.#timers.remove(timer);
    timer.isWaiting = false;
    return true;
  }
}
