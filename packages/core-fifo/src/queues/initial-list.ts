/**
 * Counts down a queue's first list, to find out when its consumer has processed all of it.
 *
 * ```
 *   unpopulated ── populate(n) ──▶ n items to take, n to finish ── take, finish ──▶ 0: synced
 * ```
 */
export class InitialList {
  #isPopulated = false;
  /** Items of the first list that are still queued. */
  #untaken = 0;
  /** Items of the first list that are queued or being processed. */
  #unfinished = 0;
  #hasSynced = false;
  readonly #synced = Promise.withResolvers<void>();

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Items of the first list that no consumer has taken; 0 before there is a list. */
  get untaken(): number {
    return this.#untaken;
  }

  /** Whether the next item belongs to the first list, or precedes any list. */
  get isOpen(): boolean {
    return !this.#isPopulated || this.#untaken > 0;
  }

  /** Sets the size of the first list. Further calls do nothing. */
  populate(count: number): void {
    if (this.#isPopulated) return;
    this.#isPopulated = true;
    this.#untaken = count;
    this.#unfinished = count;
    this.#checkSynced();
  }

  /** Records items that left the queue. Returns how many belonged to the first list. */
  take(count: number): number {
    const taken = Math.min(count, this.#untaken);
    this.#untaken -= taken;
    return taken;
  }

  /** Records that a consumer has processed items of the first list. */
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
