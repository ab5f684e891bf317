/**
 * Knows when a consumer has processed all initial items of a source: the source has announced the
 * end of its initial list, and each item that was started is finished. For one consumer that takes
 * item by item (client-go `SingleFileTracker`, tools/cache/synctrack).
 */
export class SyncTracker {
  #pending = 0;
  #sourceSynced = false;
  #ended = false;
  #hasSynced = false;
  readonly #synced = Promise.withResolvers<void>();

  constructor() {
    // A source that ends early with no wait in progress is no reason for an unhandled rejection.
    this.#synced.promise.catch(() => {});
  }

  /** Initial items that are handed over and not processed. */
  get pending(): number {
    return this.#pending;
  }

  /** Whether all initial items are processed. Never goes back. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves when {@link SyncTracker.hasSynced} turns true; {@link SyncTracker.end} rejects it. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Counts an initial item that is about to be handed over. */
  start(): void {
    this.#pending++;
  }

  /**
   * Counts an initial item that has been processed.
   *
   * @throws {RangeError} if more items are finished than were started
   */
  finish(): void {
    if (this.#pending === 0) {
      throw new RangeError("Cannot finish an item: expected a started one, got none");
    }
    this.#pending--;
    this.#settle();
  }

  /** Notes that every initial item has been started. */
  sourceSynced(): void {
    if (this.#ended) return;
    this.#sourceSynced = true;
    this.#settle();
  }

  /** Notes that the source has ended; unless all is processed, it can no longer sync. */
  end(reason: unknown): void {
    this.#ended = true;
    if (!this.#sourceSynced || this.#pending > 0) this.#synced.reject(reason);
  }

  #settle(): void {
    if (this.#hasSynced || !this.#sourceSynced || this.#pending > 0) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }
}
