/**
 * Tracks whether a consumer has processed all initial objects of a source: the source has announced
 * the end of its initial list, and every started object is finished. For a consumer that processes
 * one object at a time (client-go `SingleFileTracker`, tools/cache/synctrack).
 */
export class SyncTracker {
  #pending = 0;
  #sourceSynced = false;
  #ended = false;
  #hasSynced = false;
  readonly #synced = Promise.withResolvers<void>();

  constructor() {
    // The early end of a source must not be an unhandled rejection if no caller waits.
    this.#synced.promise.catch(() => {});
  }

  /** Initial objects that were passed on and are not processed yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Whether all initial objects are processed. Never becomes false again. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves when {@link SyncTracker.hasSynced} becomes true. {@link SyncTracker.end} rejects it. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Counts an initial object before it is passed on. */
  start(): void {
    this.#pending++;
  }

  /**
   * Counts a processed initial object.
   *
   * @throws {RangeError} if more objects are finished than were started
   */
  finish(): void {
    if (this.#pending === 0) {
      throw new RangeError("Cannot finish an item: expected a started one, got none");
    }
    this.#pending--;
    this.#settle();
  }

  /** Records that every initial object has been started. */
  sourceSynced(): void {
    if (this.#ended) return;
    this.#sourceSynced = true;
    this.#settle();
  }

  /** Records the end of the source. Unless everything is processed, it can no longer sync. */
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
