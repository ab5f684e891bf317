import { sleep, type Clock } from "@listwatch/core-fifo/base";
import { isStatusError, isTooManyRequests } from "../errors/status-error.ts";
import type { Requester, UnaryRequest } from "../http/request.ts";

/** Delay between attempts if the server requests none, in milliseconds: kubectl drain, `evictPods`. */
const pauseMs = 5000;
/** Shortest delay between attempts, in milliseconds, whatever the server requests. */
const shortestPauseMs = 1000;

/** Repeats an eviction that a disruption budget refuses, until the time limit. */
export async function evictWhenAllowed(
  requester: Requester,
  request: UnaryRequest & { readonly timeoutMs: number },
  clock: Clock,
): Promise<void> {
  const endMs = clock.now() + request.timeoutMs;
  for (;;) {
    const timeoutMs = Math.max(1, endMs - clock.now());
    try {
      await requester.sendForJson({ ...request, timeoutMs });
      return;
    } catch (error) {
      if (!isTooManyRequests(error)) throw error;
      const retryAfterMs = isStatusError(error) ? error.retryAfterMs : undefined;
      const waitMs = Math.max(shortestPauseMs, retryAfterMs ?? pauseMs);
      if (clock.now() + waitMs >= endMs) throw error;
      await sleep(waitMs, { clock, signal: request.signal });
    }
  }
}
