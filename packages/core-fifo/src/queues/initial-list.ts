/**
 * Counts a queue's first list down, so that the queue can tell when its consumer has seen all of
 * it.
 *
 * ```
 *   unpopulated ── populate(n) ──▶ n items to take, n to finish ── take, finish ──▶ 0: synced
 * ```
 */
export class InitialList {
  #isPopulated = false;
  /** Items of the first list that are still in the queue. */
  #untaken = 0;
  /** Items of the first list that are in the queue or are being processed. */
  #unfinished = 0;
  #hasSynced = false;
  readonly #synced = Promise.withResolvers<void>();

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Items of the first list that no consumer has taken yet; 0 while there is no list. */
  get untaken(): number {
    return this.#untaken;
  }

  /** Whether what leaves the queue next belongs to the first list, or comes before any list. */
  get isOpen(): boolean {
    return !this.#isPopulated || this.#untaken > 0;
  }

  /** Fixes the size of the first list; only the first call counts. */
  populate(count: number): void {
    if (this.#isPopulated) return;
    this.#isPopulated = true;
    this.#untaken = count;
    this.#unfinished = count;
    this.#checkSynced();
  }

  /** Notes that items left the queue; returns how many of them belonged to the first list. */
  take(count: number): number {
    const taken = Math.min(count, this.#untaken);
    this.#untaken -= taken;
    return taken;
  }

  /** Notes that a consumer is done with items of the first list. */
  finish(count: number): void {
    if (count === 0) return;
    this.#unfinished -= count;
    this.#checkSynced();
  }

  #checkSynced(): void {
    if (this.#unfinished > 0 || this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }
}
