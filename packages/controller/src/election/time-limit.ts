import type { Clock } from "@listwatch/core-fifo";

/**
 * Does something with a signal that is aborted after a time, or with another signal. Ends at that
 * moment also when what is done ignores the signal: whoever has a deadline cannot wait for a
 * transport to notice.
 *
 * @throws what it throws; a `TimeoutError` when the time is over; the reason of a signal that is
 *   aborted
 */
export async function withTimeLimit<R>(
  clock: Clock,
  limitMs: number,
  parents: readonly AbortSignal[],
  action: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const limit = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    limit.abort(reason);
    ended.reject(reason);
  };
  const timer = clock.setTimeout(() => {
    end(new DOMException(`It took longer than ${limitMs} ms`, "TimeoutError"));
  }, limitMs);
  const onAbort = (): void => end(parents.find(({ aborted }) => aborted)?.reason);
  for (const parent of parents) parent.addEventListener("abort", onAbort, { once: true });
  if (parents.some(({ aborted }) => aborted)) onAbort();
  try {
    return await Promise.race([ended.promise, action(limit.signal)]);
  } finally {
    timer.cancel();
    for (const parent of parents) parent.removeEventListener("abort", onAbort);
  }
}
