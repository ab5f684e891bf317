import { linkAbort, untilAborted } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { describeDuration } from "./units.ts";

/** Options of {@link withTimeLimit}. */
export interface TimeLimitOptions {
  readonly clock: Clock;
  /** In milliseconds; Infinity for none. */
  readonly limitMs: number;
  /** Ends the action before the time is over. */
  readonly signal?: AbortSignal | undefined;
  /** Called for what to throw when the time is over. @default a `TimeoutError` */
  readonly reason?: (() => unknown) | undefined;
}

/**
 * Calls `action` with a signal that is aborted after a time, or with another signal. Ends at that
 * moment also when the action ignores its signal: a deadline cannot wait for a transport to notice
 * it.
 *
 * @throws what the action throws; the reason when the time is over; the reason of the other signal
 */
export async function withTimeLimit<R>(
  { clock, limitMs, signal, reason }: TimeLimitOptions,
  action: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const link = linkAbort(signal);
  const end = (): void => link.abort(reason === undefined ? timeoutError(limitMs) : reason());
  const timer = limitMs === Infinity ? undefined : clock.setTimeout(end, limitMs);
  try {
    return await untilAborted(action(link.signal), link.signal);
  } finally {
    timer?.cancel();
    link.release();
  }
}

function timeoutError(limitMs: number): DOMException {
  return new DOMException(`It took longer than ${describeDuration(limitMs)}`, "TimeoutError");
}
