import { systemClock, type Clock } from "./clock.ts";

/**
 * Longest time that work keeps the event loop, in milliseconds: half a frame at 60 Hz. Shorter
 * slices would cost little, since a turn takes microseconds, but have no visible benefit.
 */
const defaultLimitMs = 8;

/** Shortest share of a worker in a turn, in milliseconds. Below it the cost of the turns would show. */
const minShareMs = 0.05;

/** Options of {@link TimeBudget}. */
export interface TimeBudgetOptions {
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Time between two turns of the event loop, in milliseconds.
   *
   * @default 8
   */
  readonly limitMs?: number | undefined;
  /**
   * Number of items between two readings of the clock, for items that cost no more than a reading
   * (about 30 ns).
   *
   * @default 1
   */
  readonly itemsPerLook?: number | undefined;
  /**
   * Whether the time is divided among all shared budgets of the same clock that are in use ({@link
   * TimeBudget.enter}), so that together they stay within the limit.
   *
   * @default false
   */
  readonly isShared?: boolean | undefined;
}

interface Workers {
  count: number;
}

// One clock stands for one event loop. All work on it competes for the same turns, across
// informers.
const workersByClock = new WeakMap<Clock, Workers>();

function workersOf(clock: Clock): Workers {
  let workers = workersByClock.get(clock);
  if (workers === undefined) {
    workers = { count: 0 };
    workersByClock.set(clock, workers);
  }
  return workers;
}

/**
 * Decides when long work lets the event loop turn: after 8 ms.
 *
 * Work on known items asks after each item:
 *
 * ```ts
 * import { systemClock, TimeBudget } from "@listwatch/core-fifo/base";
 *
 * const budget = new TimeBudget({ clock: systemClock });
 * let sum = 0;
 * for (let item = 0; item < 10_000; item++) {
 *   sum += item;
 *   if (budget.count()) await budget.nextTurn();
 * }
 * console.log(sum); // 49995000
 * ```
 */
export class TimeBudget {
  readonly clock: Clock;
  /** Time of the clock at which the budget is spent. */
  protected endMs = 0;
  protected readonly limitMs: number;
  readonly #itemsPerLook: number;
  readonly #workers: Workers | undefined;
  #hasEntered = false;
  #unlookedItems = 0;

  constructor(options: TimeBudgetOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.limitMs = options.limitMs ?? defaultLimitMs;
    this.#itemsPerLook = options.itemsPerLook ?? 1;
    this.#workers = options.isShared === true ? workersOf(this.clock) : undefined;
    this.restart();
  }

  /** Starts counting again, for work that starts after a wait. Returns the time that it read. */
  restart(): number {
    let limitMs = this.limitMs;
    if (this.#workers !== undefined) {
      limitMs = Math.max(limitMs / Math.max(this.#workers.count, 1), minShareMs);
    }
    const nowMs = this.clock.now();
    this.endMs = nowMs + limitMs;
    this.#unlookedItems = 0;
    return nowMs;
  }

  /** Whether the time is used up. @param nowMs what the clock says, if the caller has read it */
  isSpent(nowMs: number = this.clock.now()): boolean {
    return nowMs >= this.endMs;
  }

  /**
   * Counts a finished item. Returns whether the budget is spent. Reads the clock once per
   * `itemsPerLook` items.
   */
  count(): boolean {
    this.#unlookedItems += 1;
    if (this.#unlookedItems < this.#itemsPerLook) return false;
    this.#unlookedItems = 0;
    return this.isSpent();
  }

  /** Lets the event loop turn, then starts counting again. */
  async nextTurn(): Promise<void> {
    await this.clock.nextTurn();
    this.restart();
  }

  /** Starts using a shared budget. */
  enter(): void {
    if (this.#workers === undefined || this.#hasEntered) return;
    this.#hasEntered = true;
    this.#workers.count += 1;
  }

  /** Stops using a shared budget. */
  leave(): void {
    if (this.#workers === undefined || !this.#hasEntered) return;
    this.#hasEntered = false;
    this.#workers.count -= 1;
  }
}
