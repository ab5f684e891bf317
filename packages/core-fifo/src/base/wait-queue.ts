import { untilAborted } from "./abort.ts";

/** A caller of a {@link WaitQueue}. */
export interface Wait<R, W> {
  /** Result that the caller waits for, if it said so. */
  readonly wanted: W;
  /** Ends the wait, then passes on what the function returns or throws. */
  settle(take: () => R | Promise<R>): void;
  reject(reason: unknown): void;
}

/**
 * Callers that wait for a result, in order of arrival. A wait ends alone, with all others, or with
 * its signal. It never leaves a listener behind.
 */
export class WaitQueue<R, W = void> {
  readonly #waits = new Set<Wait<R, W>>();

  /** Number of waiting callers. */
  get length(): number {
    return this.#waits.size;
  }

  /** Iterates over the waits; those that end meanwhile are left out. */
  [Symbol.iterator](): SetIterator<Wait<R, W>> {
    return this.#waits.values();
  }

  /**
   * Waits for a result.
   *
   * @throws the reason of the signal if it is aborted first
   */
  wait(signal: AbortSignal | undefined, wanted: W): Promise<R> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as unknown);
    return new Promise<R>((resolve, reject) => {
      const remove = (): void => {
        this.#waits.delete(wait);
        signal?.removeEventListener("abort", onAbort);
      };
      const wait: Wait<R, W> = {
        wanted,
        settle: (take) => {
          remove();
          try {
            resolve(take());
          } catch (error) {
            reject(error);
          }
        },
        reject: (reason) => {
          remove();
          reject(reason);
        },
      };
      const onAbort = (): void => wait.reject(signal?.reason);
      this.#waits.add(wait);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Passes a result to the caller that has waited longest. Returns false if there is none. */
  resolveFirst(result: R): boolean {
    const [first] = this.#waits;
    first?.settle(() => result);
    return first !== undefined;
  }

  resolveAll(result: R): void {
    for (const wait of this.#waits) wait.settle(() => result);
  }

  rejectAll(reason: unknown): void {
    for (const wait of this.#waits) wait.reject(reason);
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
