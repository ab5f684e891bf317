/** Lets any number of producers wait until something has room again. */
export class Gate {
  #opened: PromiseWithResolvers<void> | undefined;

  /**
   * Resolves at the next {@link Gate.open}.
   *
   * @throws the signal's reason when it is aborted before
   */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#opened ??= Promise.withResolvers();
    const { promise } = this.#opened;
    const aborted = Promise.withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([promise, aborted.promise]);
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }
}
