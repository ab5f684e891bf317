import type { Clock } from "@listwatch/core-fifo";
import { linkAbort, untilAborted } from "@listwatch/core-fifo/base";

/**
 * Calls `action` with a signal that is aborted after a time, or with `parent`. Ends at that moment
 * also when the action ignores the signal: a deadline cannot wait for a transport to notice it.
 *
 * @throws what the action throws; a `TimeoutError` when the time is over; the reason of `parent`
 */
export async function withTimeLimit<R>(
  clock: Clock,
  limitMs: number,
  parent: AbortSignal | undefined,
  action: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const link = linkAbort(parent);
  const timer = clock.setTimeout(() => {
    link.abort(new DOMException(`It took longer than ${limitMs} ms`, "TimeoutError"));
  }, limitMs);
  try {
    return await untilAborted(action(link.signal), link.signal);
  } finally {
    timer.cancel();
    link.release();
  }
}
