import { untilAborted } from "./abort.ts";

/** Lets any number of producers wait until a consumer has capacity again. */
export class CapacityLatch {
  #opened: PromiseWithResolvers<void> | undefined;

  /** Whether there was a wait since the last {@link CapacityLatch.open}. */
  get isAwaited(): boolean {
    return this.#opened !== undefined;
  }

  /**
   * Resolves at the next {@link CapacityLatch.open}.
   *
   * @throws the signal's reason when it is aborted before
   */
  wait(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as unknown);
    this.#opened ??= Promise.withResolvers();
    const { promise } = this.#opened;
    return signal === undefined ? promise : untilAborted(promise, signal);
  }

  /** Ends every wait in progress. */
  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }
}
