/**
 * Tells when the initial items that a source hands over have all been processed: the source has
 * said that there are no more, and each that was started is finished. For one consumer that takes
 * item by item.
 *
 * ```ts
 * import { SyncTracker } from "@listwatch/shared-informer";
 *
 * const tracker = new SyncTracker();
 * tracker.start();
 * tracker.sourceSynced();
 * console.log(tracker.hasSynced); // false
 * tracker.finish();
 * console.log(tracker.hasSynced); // true
 * ```
 */
export class SyncTracker {
  #pending = 0;
  #sourceSynced = false;
  #ended = false;
  #hasSynced = false;
  readonly #synced = Promise.withResolvers<void>();

  constructor() {
    // Nobody may be waiting when a source ends early; that alone is no reason for an unhandled
    // rejection.
    this.#synced.promise.catch(() => {});
  }

  /** Whether all initial items are processed. Never goes back. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /**
   * Resolves when {@link SyncTracker.hasSynced} turns true; rejects if {@link SyncTracker.end} comes
   * before.
   */
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
      throw new RangeError("Couldn't finish an item: expected a started one, got none");
    }
    this.#pending--;
    this.#settle();
  }

  /** Tells that every initial item has been started. */
  sourceSynced(): void {
    if (this.#ended) return;
    this.#sourceSynced = true;
    this.#settle();
  }

  /**
   * Tells that the source has ended; without {@link SyncTracker.sourceSynced} before, it can no
   * longer sync.
   */
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
