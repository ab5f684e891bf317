/** A line of callers that wait, in the order of their arrival. */
export class Waiters<R> {
  readonly #resolvers = new Set<(result: R) => void>();

  get size(): number {
    return this.#resolvers.size;
  }

  /**
   * Waits for its turn.
   *
   * @throws the signal's reason when it is aborted before
   */
  wait(signal: AbortSignal | undefined): Promise<R> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise<R>((resolve, reject) => {
      const end = (result: R): void => {
        this.#resolvers.delete(end);
        signal?.removeEventListener("abort", onAbort);
        resolve(result);
      };
      const onAbort = (): void => {
        this.#resolvers.delete(end);
        reject(signal?.reason as unknown);
      };
      this.#resolvers.add(end);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Ends the wait of the one who has waited longest. */
  endFirst(result: R): void {
    for (const end of this.#resolvers) {
      end(result);
      return;
    }
  }

  /** Ends the wait of everybody. */
  endAll(result: R): void {
    for (const end of this.#resolvers) end(result);
  }
}
