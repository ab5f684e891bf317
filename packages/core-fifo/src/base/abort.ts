import { createInvalidOptionError } from "./errors.ts";
import { recordOf } from "./json.ts";

/** An abort signal that is also aborted with its parents. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  /** Aborts the signal. Its parents are not affected. */
  abort(reason?: unknown): void;
  /** Removes the listeners from the parents. Call it when the linked work has ended. Idempotent. */
  release(): void;
}

/**
 * Calls `callback` when the signal is aborted, or at once if it already is.
 *
 * @returns a function that removes the listener; call it when the abortable work has ended
 */
export function onAborted(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal?.aborted === true) callback();
  else signal?.addEventListener("abort", callback, { once: true });
  return () => signal?.removeEventListener("abort", callback);
}

/** Checks that an option is a signal. Without classes: a signal may be of another realm. */
export function aSignal(value: unknown): string | undefined {
  const signal = recordOf(value);
  return "aborted" in signal && typeof signal["addEventListener"] === "function"
    ? undefined
    : "an AbortSignal";
}

/**
 * Creates a signal that is aborted with the first of its parents, or by {@link LinkedAbort.abort}.
 *
 * Unlike `AbortSignal.any`, it detaches from its parents when it is released or aborted. A parent
 * that lives as long as the program collects no listeners.
 *
 * @param parents signals to follow; `undefined` is a signal that is never aborted
 */
export function linkAbort(...parents: readonly (AbortSignal | undefined)[]): LinkedAbort {
  for (const parent of parents) {
    const expected = parent && aSignal(parent);
    if (expected !== undefined) throw createInvalidOptionError("signal", expected, parent);
  }
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
 * Settles like the promise, or rejects with the signal's reason if the signal is aborted first.
 *
 * Leaves no listener behind, so that one signal can serve many waits. A rejection after the abort
 * is handled.
 */
export function untilAborted<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal?.reason as unknown);
    // Always attached, so that a late rejection is handled.
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
