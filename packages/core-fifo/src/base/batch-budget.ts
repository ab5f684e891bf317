import { TimeBudget, type TimeBudgetOptions } from "./time-budget.ts";

/**
 * Maximum number of keys per batch, and of objects that are applied in one turn: client-go
 * `defaultBatchSize`, tools/cache/the_real_fifo.go.
 */
export const maxBatchKeys = 1000;

/** Share of the budget that is too small for another batch: the overhead would exceed the work. */
const minBatchShare = 1 / 4;

/** Options of {@link BatchBudget}. */
export interface BatchBudgetOptions extends TimeBudgetOptions {
  /** Maximum number of items in a batch. @default Infinity */
  readonly maxItems?: number | undefined;
}

/**
 * A {@link TimeBudget} for work in batches that cannot be interrupted, with waits between them. It
 * chooses the size of the next batch.
 */
export class BatchBudget extends TimeBudget {
  readonly #maxItems: number;
  #waitStartMs = 0;
  #batchStartMs = 0;
  #msPerItem = 0;
  /** Rest of the budget after the last batch or turn. */
  #leftMs = 0;

  constructor(options: BatchBudgetOptions = {}) {
    super(options);
    this.#maxItems = options.maxItems ?? Infinity;
  }

  override async nextTurn(): Promise<void> {
    await this.clock.nextTurn();
    this.restart();
    this.#leftMs = this.limitMs;
  }

  /** Records the start of a wait, whose time does not count as work. */
  beginWait(): void {
    this.#waitStartMs = this.clock.now();
  }

  /** Records the end of the wait. */
  endWait(): void {
    this.endMs += this.clock.now() - this.#waitStartMs;
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
    this.#leftMs = this.endMs - nowMs;
    return this.#leftMs < this.limitMs * minBatchShare;
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
}
