import { compareResourceVersions } from "@listwatch/core-fifo";

interface Waiter {
  readonly version: string;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Whether a cache that is complete up to `current` has everything up to `version`. */
function isReached(current: string, version: string): boolean {
  // A cache that has seen nothing yet, or a list without a resourceVersion, is nowhere.
  if (current === "" || current === "0") return false;
  return current === version || compareResourceVersions(current, version) >= 0;
}

/** Those who wait for a cache to reach a resourceVersion. */
export class VersionWaiters {
  readonly #waiters = new Set<Waiter>();

  /**
   * Resolves once {@link VersionWaiters.reach} was told this resourceVersion or a later one; at once if `current` is one.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws the signal's reason when it is aborted before
   */
  async wait(version: string, current: string, signal: AbortSignal | undefined): Promise<void> {
    compareResourceVersions(version, version);
    if (isReached(current, version)) return;
    signal?.throwIfAborted();
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { version, resolve, reject };
    const onAbort = (): void => reject(signal?.reason);
    this.#waiters.add(waiter);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      this.#waiters.delete(waiter);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  reach(current: string): void {
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) {
      if (isReached(current, waiter.version)) waiter.resolve();
    }
  }

  end(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}
