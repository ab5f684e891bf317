import { untilAborted } from "./abort.ts";
import { compareResourceVersions } from "./resource-version.ts";

interface Waiter {
  readonly resourceVersion: string;
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Waits until a cache or an event stream has reached a resourceVersion.
 *
 * A reached version that is not a number cannot be compared. It neither ends nor fails a wait.
 */
export class ResourceVersionWaiters {
  readonly #waiters = new Set<Waiter>();
  #current = "";

  /** Records the current resourceVersion and ends all waits up to it. O(waits). */
  reach(current: string): void {
    this.#current = current;
    // Called for every event, while waits are rare.
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) {
      if (isReached(current, waiter.resourceVersion)) waiter.resolve();
    }
  }

  /**
   * Resolves when {@link ResourceVersionWaiters.reach} is called with this resourceVersion or a
   * later one; at once if its last call was.
   *
   * @throws {ResourceVersionError} if it is not a resourceVersion
   * @throws the reason of the signal if it is aborted first
   * @throws the reason of {@link ResourceVersionWaiters.end}
   */
  async wait(
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    // Throws if the string is not a resourceVersion.
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

  /** Rejects all current waits. */
  end(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}

/** Whether `current` includes everything up to `wanted`. */
function isReached(current: string, wanted: string): boolean {
  try {
    return compareResourceVersions(current, wanted) >= 0;
  } catch {
    // `""`, `"0"` and versions that are not numbers have no place in the order.
    return false;
  }
}
