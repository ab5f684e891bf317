/**
 * Resolves with the promise, or on abort. Unlike a `Promise.race` with one promise for all aborts
 * it leaves nothing behind, so that it can be called for as long as a program runs.
 */
export function orAbort(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise: either, reject, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  return either;
}
