import { BinaryHeap } from "./binary-heap.ts";
import { systemClock, type Clock, type Timer } from "./clock.ts";
import { isRealWorkUnderWay, realWorkEnded } from "./real-work.ts";

/** Options of {@link SimulatedClock}. */
export interface SimulatedClockOptions {
  /**
   * What {@link SimulatedClock.now} returns at the start, in milliseconds since 1970.
   *
   * @default 0
   */
  readonly startMs?: number | undefined;
}

interface SimulatedTimer {
  readonly dueMs: number;
  /** Place in the order in which timers were started: decides between those of one instant. */
  readonly sequence: number;
  readonly callback: () => void;
  /** Place in the heap; -1 once the timer has fired or was cancelled. */
  index: number;
}

function isEarlier(a: SimulatedTimer, b: SimulatedTimer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence);
}

/**
 * Turns of the event loop in which nothing happened, after which a program counts as idle. One turn
 * drains every microtask, which is how streams, queues and promises go on; the second is for what
 * needed a turn of its own.
 */
const quietTurns = 2;

/**
 * A clock that stands still until it is told to move, for deterministic tests of anything that
 * waits.
 *
 * Timers fire in the order of their due time, those of one instant in the order in which they were
 * started, and between two timers everything that the first one caused runs to its end. Hours take
 * milliseconds. Starting, cancelling and firing a timer cost O(log n) in the timers that wait.
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
  readonly #timers = new BinaryHeap<SimulatedTimer>({
    isBefore: isEarlier,
    onMove: (timer, index) => (timer.index = index),
  });
  #sequence = 0;
  #pendingTurns = 0;
  /** Counts what a program does with this clock; when it stands still, nothing works any more. */
  #activity = 0;
  #advancing = false;

  constructor(options: SimulatedClockOptions = {}) {
    this.#nowMs = options.startMs ?? 0;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    // Without a number there is no delay, as in a runtime's own timers.
    const dueMs = this.#nowMs + (delayMs > 0 ? delayMs : 0);
    this.#sequence += 1;
    const timer: SimulatedTimer = { callback, dueMs, sequence: this.#sequence, index: -1 };
    this.#timers.push(timer);
    this.#activity += 1;
    return {
      cancel: () => {
        if (this.#stop(timer)) this.#activity += 1;
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
    return this.#timers.length;
  }

  /** When the next timer is due, in milliseconds since 1970; `undefined` without timers. */
  get nextTimerMs(): number | undefined {
    return this.#timers.peek()?.dueMs;
  }

  /**
   * Lets `ms` milliseconds pass. Every timer that falls due fires at its own time, also one that
   * falls due exactly at the end and one that another timer starts on the way. The program is idle
   * when the promise resolves.
   *
   * @throws {RangeError} if `ms` is negative or no number
   * @throws {Error} if the clock is already being advanced
   * @throws what a timer's callback throws; the clock then stands at the time of that timer
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
   * Lets everything run that can run without time passing: microtasks, turns of the event loop,
   * streams, and what is marked as work in real time.
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

  /** Takes a timer out; false if it has fired or was cancelled before. */
  #stop(timer: SimulatedTimer): boolean {
    if (timer.index < 0) return false;
    this.#timers.removeAt(timer.index);
    timer.index = -1;
    return true;
  }
}
