import { compareResourceVersions } from "./resource-version.ts";
import { WaitQueue } from "./wait-queue.ts";

/**
 * Waits until a cache or an event stream has reached a resourceVersion.
 *
 * A reached version that is not a number cannot be compared. It neither ends nor fails a wait.
 */
export class ResourceVersionWaiters {
  readonly #waits = new WaitQueue<void, string>();
  #current = "";

  /** Records the current resourceVersion and ends all waits up to it. O(waits). */
  reach(current: string): void {
    this.#current = current;
    // Called for every event, while waits are rare.
    if (this.#waits.length === 0) return;
    for (const wait of this.#waits) {
      if (isReached(current, wait.wanted)) wait.settle(() => {});
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
    await this.#waits.wait(options.signal, resourceVersion);
  }

  /** Rejects all current waits. */
  end(reason: unknown): void {
    this.#waits.rejectAll(reason);
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
