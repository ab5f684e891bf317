import { untilAborted } from "./abort.ts";
import { compareResourceVersions } from "./resource-version.ts";

interface Waiter {
  readonly resourceVersion: string;
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Waits until a cache or a stream of events has reached a resourceVersion.
 *
 * A resourceVersion that is no number cannot be compared: one that is reached ends no wait and
 * fails none.
 */
export class ResourceVersionWaiters {
  readonly #waiters = new Set<Waiter>();
  #current = "";

  /** Notes the resourceVersion that is reached, and ends all waits up to it. O(waits). */
  reach(current: string): void {
    this.#current = current;
    // Called for every event, while there is hardly ever a wait.
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) {
      if (isReached(current, waiter.resourceVersion)) waiter.resolve();
    }
  }

  /**
   * Resolves when {@link ResourceVersionWaiters.reach} is called with this resourceVersion or a
   * later one; at once if its last call was.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws the signal's reason when it is aborted before
   * @throws the reason of {@link ResourceVersionWaiters.end}
   */
  async wait(
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    // Compared with itself only for the error about a text that is no resourceVersion.
    compareResourceVersions(resourceVersion, resourceVersion);
    if (isReached(this.#current, resourceVersion)) return;
    const waiter: Waiter = { resourceVersion, ...Promise.withResolvers<void>() };
    this.#waiters.add(waiter);
    try {
      await untilAborted(waiter.promise, options.signal);
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  /** Rejects all waits in progress. */
  end(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}

/** Whether everything up to `wanted` is there at `current`. */
function isReached(current: string, wanted: string): boolean {
  try {
    return compareResourceVersions(current, wanted) >= 0;
  } catch {
    // `""` and `"0"` have no place in the order, and what is no number cannot be compared.
    return false;
  }
}
