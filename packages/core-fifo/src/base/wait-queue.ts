interface Waiter<R> {
  resolve(result: R): void;
  reject(reason: unknown): void;
}

/**
 * Callers that wait for a result, in the order of their arrival. Each wait ends alone, together
 * with all others, or with its signal; whichever way it ends, it leaves no listener.
 */
export class WaitQueue<R> {
  readonly #waiters = new Set<Waiter<R>>();

  /** How many callers wait. */
  get length(): number {
    return this.#waiters.size;
  }

  /**
   * Waits for a result.
   *
   * @throws the signal's reason when it is aborted before
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

  /** Gives a result to the caller that has waited longest; false if there is none. */
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
