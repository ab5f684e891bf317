import { compareResourceVersions } from "./resource-version.ts";

interface Waiter {
  readonly resourceVersion: string;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Those who wait until a resourceVersion has been reached, by a cache or by a stream of events.
 *
 * A resourceVersion that is no number cannot be compared: one that is reached reaches nothing, and
 * fails nobody.
 *
 * ```ts
 * import { ResourceVersionWaiters } from "@listwatch/core-fifo";
 *
 * const waiters = new ResourceVersionWaiters();
 * waiters.reach("41");
 * const waiting = waiters.wait("42").then(() => console.log("there"));
 * waiters.reach("43");
 * await waiting; // prints "there"
 * ```
 */
export class ResourceVersionWaiters {
  readonly #waiters = new Set<Waiter>();
  #current = "";

  /**
   * Says how far it is now, and wakes those who waited for this resourceVersion or an older one.
   * O(waiters).
   */
  reach(current: string): void {
    this.#current = current;
    // Told of every event, while hardly ever anybody waits.
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) {
      if (isReached(current, waiter.resourceVersion)) waiter.resolve();
    }
  }

  /**
   * Resolves when {@link ResourceVersionWaiters.reach} is told this resourceVersion or a later one;
   * at once if that was what it was told last.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws the signal's reason when it is aborted before
   * @throws the reason of {@link ResourceVersionWaiters.end}
   */
  async wait(
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    // Compared with itself only for the complaint about a text that is no resourceVersion.
    compareResourceVersions(resourceVersion, resourceVersion);
    if (isReached(this.#current, resourceVersion)) return;
    const { signal } = options;
    signal?.throwIfAborted();
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { resourceVersion, resolve, reject };
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

  /** Rejects everybody who waits now. */
  end(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}

/** Whether who is at `current` has everything up to `wanted`. */
function isReached(current: string, wanted: string): boolean {
  try {
    return compareResourceVersions(current, wanted) >= 0;
  } catch {
    // `""` and `"0"` are nowhere, and what is no number cannot be compared.
    return false;
  }
}
