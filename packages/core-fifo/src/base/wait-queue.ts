interface Waiter<R> {
  resolve(result: R): void;
  reject(reason: unknown): void;
}

/**
 * Callers that wait for a result, in order of arrival. A wait ends alone, with all others, or with
 * its signal. It never leaves a listener behind.
 */
export class WaitQueue<R> {
  readonly #waiters = new Set<Waiter<R>>();

  /** Number of waiting callers. */
  get length(): number {
    return this.#waiters.size;
  }

  /**
   * Waits for a result.
   *
   * @throws the reason of the signal if it is aborted first
   */
  wait(signal?: AbortSignal): Promise<R> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as unknown);
    return new Promise<R>((resolve, reject) => {
      const remove = (): void => {
        this.#waiters.delete(waiter);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiter: Waiter<R> = {
        resolve: (result) => {
          remove();
          resolve(result);
        },
        reject: (reason) => {
          remove();
          reject(reason);
        },
      };
      const onAbort = (): void => waiter.reject(signal?.reason);
      this.#waiters.add(waiter);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Passes a result to the caller that has waited longest. Returns false if there is none. */
  resolveFirst(result: R): boolean {
    for (const waiter of this.#waiters) {
      waiter.resolve(result);
      return true;
    }
    return false;
  }

  resolveAll(result: R): void {
    for (const waiter of this.#waiters) waiter.resolve(result);
  }

  rejectAll(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}
