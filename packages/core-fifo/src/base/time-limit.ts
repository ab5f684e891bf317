import { linkAbort, untilAborted } from "./abort.ts";
import type { Clock } from "./clock.ts";
import { describeDuration } from "./units.ts";

/** Options of {@link withTimeLimit}. */
export interface TimeLimitOptions {
  readonly clock: Clock;
  /** In milliseconds; Infinity for no limit. */
  readonly limitMs: number;
  /** Ends the action early. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the error to throw at the limit. @default a `TimeoutError` */
  readonly reason?: (() => unknown) | undefined;
}

/**
 * Calls `action` with a signal that is aborted after a time, or by another signal. Settles at that
 * moment even if the action ignores its signal: a deadline cannot wait until a transport notices
 * it.
 *
 * @throws the error of the action; the reason at the limit; the reason of the other signal
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
