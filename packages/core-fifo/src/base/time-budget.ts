import { systemClock, type Clock } from "./clock.ts";

/**
 * Longest time that work keeps the event loop, in milliseconds: half a frame at 60 Hz. A turn costs
 * some microseconds, so that shorter slices would not cost much either, but gain nothing visible.
 */
const defaultLimitMs = 8;

/**
 * Least time of a worker that shares a turn, in milliseconds: below it the cost of the turns
 * themselves would show.
 */
const minShareMs = 0.05;

/**
 * Part of the budget that is too little for another batch: its overhead would be more than its
 * work.
 */
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
   * Most items between two turns, and most items of a batch.
   *
   * @default Infinity
   */
  readonly maxItems?: number | undefined;
  /**
   * Items between two readings of the clock, for items that cost no more than a reading (some 30
   * ns).
   *
   * @default 1
   */
  readonly itemsPerLook?: number | undefined;
  /**
   * Whether the time is divided by the number of all shared budgets of the same clock that are in
   * use at the same time ({@link TimeBudget.enter}), so that together they keep to the limit.
   *
   * @default false
   */
  readonly isShared?: boolean | undefined;
}

interface Workers {
  count: number;
}

// One clock is one event loop; all work on it competes for the same turns, whichever informer it
// belongs to.
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
 * Tells long work when to let the event loop turn: after 8 ms or a number of items, whichever comes
 * first.
 *
 * Work of known items asks after each item:
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
 * Work in batches that cannot be interrupted asks how large the next batch may be:
 * {@link TimeBudget.beginBatch}, {@link TimeBudget.endBatch}, {@link TimeBudget.batchSize}.
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

  /** Begins to count from now, for work that begins after a wait. Returns the time that it read. */
  restart(): number {
    const limitMs = this.#shareMs();
    const nowMs = this.clock.now();
    this.#endMs = nowMs + limitMs;
    this.#leftMs = limitMs;
    this.#items = 0;
    this.#unlookedItems = 0;
    return nowMs;
  }

  /** Notes the start of a wait, in which others may work: it is no time of this work. */
  beginWait(): void {
    this.#waitStartMs = this.clock.now();
  }

  /** Notes the end of the wait. */
  endWait(): void {
    this.#endMs += this.clock.now() - this.#waitStartMs;
  }

  /** Whether the time or the number of items is used up. Reads the clock. */
  get isSpent(): boolean {
    return this.isSpentAt(this.clock.now());
  }

  /** The same at a time that was read already. */
  isSpentAt(nowMs: number): boolean {
    return nowMs >= this.#endMs || this.#items >= this.#maxItems;
  }

  /**
   * Counts items that are done; returns whether the budget is spent. Reads the clock once per
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

  /** Lets the event loop turn, and begins to count again. */
  async nextTurn(): Promise<void> {
    await this.clock.nextTurn();
    this.restart();
  }

  /** Notes the start of a batch that cannot be interrupted. */
  beginBatch(): void {
    this.#batchStartMs = this.clock.now();
  }

  /**
   * Notes the end of a batch; returns whether what is left of the budget is too little for another
   * one, so that the event loop should turn.
   */
  endBatch(items: number): boolean {
    const nowMs = this.clock.now();
    if (items > 0) this.#msPerItem = (nowMs - this.#batchStartMs) / items;
    this.#leftMs = this.#endMs - nowMs;
    return this.#leftMs < this.#limitMs * minBatchShare;
  }

  /**
   * How many items the next batch may have: as many as fit in the rest of the budget at the cost
   * per item of the last batch, at least 1 and at most `maxItems`.
   */
  get batchSize(): number {
    if (this.#msPerItem <= 0) return this.#maxItems;
    const fitting = Math.floor(this.#leftMs / this.#msPerItem);
    return Math.max(1, Math.min(this.#maxItems, fitting));
  }

  /** Begins to use a shared budget. */
  enter(): void {
    if (this.#workers === undefined || this.#hasEntered) return;
    this.#hasEntered = true;
    this.#workers.count += 1;
  }

  /** Ends the use of a shared budget. */
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
