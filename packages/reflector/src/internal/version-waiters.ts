import { compareResourceVersions } from "@listwatch/core-fifo";

interface Waiter {
  readonly resourceVersion: string;
  readonly resolve: () => void;
}

/** Those who wait until a resourceVersion has been reached. */
export class VersionWaiters {
  #waiters: Waiter[] = [];
  #last = "";

  /** Wakes those whose resourceVersion is this one or an older one. */
  reached(resourceVersion: string): void {
    this.#last = resourceVersion;
    if (this.#waiters.length === 0) return;
    const waiters = this.#waiters;
    this.#waiters = waiters.filter((waiter) => !this.#isReached(waiter.resourceVersion));
    for (const waiter of waiters) {
      if (!this.#waiters.includes(waiter)) waiter.resolve();
    }
  }

  /**
   * @throws {ResourceVersionError} if the resourceVersion is none
   * @throws the signal's reason when it is aborted before
   */
  wait(resourceVersion: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      // Compared with itself only for the complaint about a text that is no resourceVersion.
      compareResourceVersions(resourceVersion, resourceVersion);
      if (this.#isReached(resourceVersion)) {
        resolve();
        return;
      }
      const onAbort = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal?.reason as unknown);
      };
      const waiter = {
        resourceVersion,
        resolve: (): void => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  #isReached(resourceVersion: string): boolean {
    try {
      return compareResourceVersions(this.#last, resourceVersion) >= 0;
    } catch {
      // Nothing was reached yet, or the server's resourceVersions are no numbers and cannot be compared.
      return false;
    }
  }
}
