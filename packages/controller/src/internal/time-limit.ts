import type { Clock } from "@listwatch/core-fifo";

/**
 * Does something with a signal that is aborted after a time, or with another signal.
 *
 * @throws what it throws; a `TimeoutError` when it ends because of the time
 */
export async function withTimeLimit<R>(
  clock: Clock,
  limitMs: number,
  parents: readonly AbortSignal[],
  action: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const limit = new AbortController();
  const timer = clock.setTimeout(() => {
    limit.abort(new DOMException(`It took longer than ${limitMs} ms`, "TimeoutError"));
  }, limitMs);
  try {
    return await action(AbortSignal.any([limit.signal, ...parents]));
  } finally {
    timer.cancel();
  }
}
