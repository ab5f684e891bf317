/** An abort signal that is also aborted with its parents. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  /** Aborts the signal; the parents are not affected. */
  abort(reason?: unknown): void;
  /**
   * Removes the listeners from the parents. To be called when the linked work has ended;
   * idempotent.
   */
  release(): void;
}

/**
 * Calls back when the signal is aborted, or at once if it is already.
 *
 * @returns what removes the listener; to be called when the work that an abort would end has ended
 */
export function onAborted(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal?.aborted === true) callback();
  else signal?.addEventListener("abort", callback, { once: true });
  return () => signal?.removeEventListener("abort", callback);
}

/**
 * Creates a signal that is aborted with the first of its parents, and that can be aborted alone.
 *
 * Unlike `AbortSignal.any` it lets go of its parents when it is released or aborted, so that a
 * parent that lives as long as the program collects no listeners.
 *
 * @param parents signals to follow; `undefined` stands for a signal that is never aborted
 */
export function linkAbort(...parents: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const release = (): void => {
    for (const parent of parents) parent?.removeEventListener("abort", onAbort);
  };
  const abort = (reason?: unknown): void => {
    release();
    controller.abort(reason);
  };
  const onAbort = (): void => abort(parents.find((parent) => parent?.aborted)?.reason);
  if (parents.some((parent) => parent?.aborted)) onAbort();
  else for (const parent of parents) parent?.addEventListener("abort", onAbort, { once: true });
  return { signal: controller.signal, abort, release };
}

/**
 * Settles as the promise does, or rejects with the signal's reason if the signal is aborted first.
 *
 * Leaves no listener behind, so that one signal can serve any number of waits. A promise that
 * rejects after the abort causes no unhandled rejection.
 */
export function untilAborted<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason as unknown);
    // Listened to in every case: its rejection is handled even when nothing waits for it any more.
    promise.then(
      (value) => {
        signal?.removeEventListener("abort", onAbort);
        return resolve(value);
      },
      (error: unknown) => {
        signal?.removeEventListener("abort", onAbort);
        return reject(error);
      },
    );
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
