import { untilAborted } from "./abort.ts";

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
