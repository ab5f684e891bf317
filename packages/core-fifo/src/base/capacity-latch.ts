import { untilAborted } from "./abort.ts";

/** Lets producers wait until a consumer has capacity again. */
export class CapacityLatch {
  #opened: PromiseWithResolvers<void> | undefined;

  /** Whether a producer has waited since the last {@link CapacityLatch.open}. */
  get isAwaited(): boolean {
    return this.#opened !== undefined;
  }

  /**
   * Resolves at the next {@link CapacityLatch.open}.
   *
   * @throws the reason of the signal if it is aborted first
   */
  wait(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as unknown);
    this.#opened ??= Promise.withResolvers();
    const { promise } = this.#opened;
    return signal === undefined ? promise : untilAborted(promise, signal);
  }

  /** Ends all current waits. */
  open(): void {
    this.#opened?.resolve();
    this.#opened = undefined;
  }
}
