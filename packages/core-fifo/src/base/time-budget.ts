import { systemClock, type Clock } from "./clock.ts";

/**
 * Maximum number of keys per batch, and of objects that are applied in one turn: client-go
 * `defaultBatchSize`, tools/cache/the_real_fifo.go.
 */
export const maxBatchKeys = 1000;

/**
 * Longest time that work keeps the event loop, in milliseconds: half a frame at 60 Hz. Shorter
 * slices would cost little, since a turn takes microseconds, but have no visible benefit.
 */
const defaultLimitMs = 8;

/** Shortest share of a worker in a turn, in milliseconds. Below it the cost of the turns would show. */
const minShareMs = 0.05;

/** Share of the budget that is too small for another batch: the overhead would exceed the work. */
const minBatchShare = 1 / 4;

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
   * Maximum number of items between two turns, and in a batch.
   *
   * @default Infinity
   */
  readonly maxItems?: number | undefined;
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
 * Decides when long work lets the event loop turn: after 8 ms or a number of items, whichever comes
 * first.
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
 *
 * Work in batches that cannot be interrupted asks for the size of the next batch:
 * {@link
 * TimeBudget.beginBatch}, {@link TimeBudget.endBatch}, {@link TimeBudget.batchSize}.
 */
export class TimeBudget {
  readonly clock: Clock;
  readonly #limitMs: number;
  readonly #maxItems: number;
  readonly #itemsPerLook: number;
  readonly #workers: Workers | undefined;
  #hasEntered = false;
  #endMs = 0;
  #waitStartMs = 0;
  #items = 0;
  #unlookedItems = 0;
  #batchStartMs = 0;
  #leftMs = 0;
  #msPerItem = 0;

  constructor(options: TimeBudgetOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.#limitMs = options.limitMs ?? defaultLimitMs;
    this.#maxItems = options.maxItems ?? Infinity;
    this.#itemsPerLook = options.itemsPerLook ?? 1;
    this.#workers = options.isShared === true ? workersOf(this.clock) : undefined;
    this.restart();
  }

  /** Starts counting again, for work that starts after a wait. Returns the time that it read. */
  restart(): number {
    const limitMs = this.#shareMs();
    const nowMs = this.clock.now();
    this.#endMs = nowMs + limitMs;
    this.#leftMs = limitMs;
    this.#items = 0;
    this.#unlookedItems = 0;
    return nowMs;
  }

  /** Records the start of a wait, whose time does not count as work. */
  beginWait(): void {
    this.#waitStartMs = this.clock.now();
  }

  /** Records the end of the wait. */
  endWait(): void {
    this.#endMs += this.clock.now() - this.#waitStartMs;
  }

  /** Whether the time or the number of items is used up. Reads the clock. */
  get isSpent(): boolean {
    return this.isSpentAt(this.clock.now());
  }

  /** Same, for a time that the caller has read. */
  isSpentAt(nowMs: number): boolean {
    return nowMs >= this.#endMs || this.#items >= this.#maxItems;
  }

  /**
   * Counts finished items. Returns whether the budget is spent. Reads the clock once per
   * `itemsPerLook` items.
   */
  count(items = 1): boolean {
    this.#items += items;
    this.#unlookedItems += items;
    if (this.#items >= this.#maxItems) return true;
    if (this.#unlookedItems < this.#itemsPerLook) return false;
    this.#unlookedItems = 0;
    return this.isSpent;
  }

  /** Lets the event loop turn, then starts counting again. */
  async nextTurn(): Promise<void> {
    await this.clock.nextTurn();
    this.restart();
  }

  /** Records the start of a batch that cannot be interrupted. */
  beginBatch(): void {
    this.#batchStartMs = this.clock.now();
  }

  /**
   * Records the end of a batch. Returns whether the rest of the budget is too small for another
   * one, so that the event loop should turn.
   */
  endBatch(items: number): boolean {
    const nowMs = this.clock.now();
    if (items > 0) this.#msPerItem = (nowMs - this.#batchStartMs) / items;
    this.#leftMs = this.#endMs - nowMs;
    return this.#leftMs < this.#limitMs * minBatchShare;
  }

  /**
   * Number of items for the next batch: as many as fit into the rest of the budget at the last
   * batch's cost per item, at least 1 and at most `maxItems`.
   */
  get batchSize(): number {
    if (this.#msPerItem <= 0) return this.#maxItems;
    const fitting = Math.floor(this.#leftMs / this.#msPerItem);
    return Math.max(1, Math.min(this.#maxItems, fitting));
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

  #shareMs(): number {
    if (this.#workers === undefined) return this.#limitMs;
    return Math.max(this.#limitMs / Math.max(this.#workers.count, 1), minShareMs);
  }
}
