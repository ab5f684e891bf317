import {
  describeDuration,
  sleep,
  withTimeLimit,
  type Clock,
  type Random,
} from "@listwatch/core-fifo/base";
import { isNetworkError, NetworkError } from "../errors/network-error.ts";
import { isStatusError } from "../errors/status-error.ts";

/**
 * Pause before the first repetition, in milliseconds; it doubles with each: client-go
 * `BackoffManager`.
 */
const firstPauseMs = 1000;

/** Part by which a pause is longer at random, so that clients do not come back together. */
const jitter = 0.2;

/** Longest pause that a server can ask for, in milliseconds. */
const longestPauseMs = 60_000;

/** Codes with which a server refuses before it has done anything. */
const refusals: ReadonlySet<number> = new Set([429, 503]);

/** Codes after which a request that only reads can succeed. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** How a request is repeated. */
export interface AttemptsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Whether it only reads, so that it does no harm twice. */
  readonly isRead: boolean;
  /** The start of the message of an error. */
  readonly attempted: string;
  /** Of all attempts and pauses together, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest number of attempts after the first one. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes attempts until one succeeds, within a time limit. An attempt is repeated if the server
 * refuses it and says for how long; one that only reads also after a failure of the server or the
 * network.
 *
 * @throws the failure of the last attempt, if there is no time or no sense in another one;
 *   {@link NetworkError} of kind `timeout` when the time is over; the reason of the signal
 */
export async function makeAttempts<R>(
  options: AttemptsOptions,
  attempt: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { attempted, clock, retries, timeoutMs } = options;
  const endMs = clock.now() + timeoutMs;
  let failure: unknown;
  const reason = (): NetworkError => {
    const cause = failure === undefined ? undefined : { cause: failure };
    const text = `no complete answer within ${describeDuration(timeoutMs)}`;
    return new NetworkError("timeout", `${attempted}: ${text}`, cause);
  };
  return withTimeLimit(
    { clock, limitMs: timeoutMs, signal: options.signal, reason },
    async (signal) => {
      for (let repetition = 0; ; repetition++) {
        try {
          return await attempt(signal);
        } catch (error) {
          failure = error;
          const pauseMs = pauseAfter(error, repetition, options);
          if (signal.aborted || repetition >= retries || pauseMs === undefined) throw error;
          if (clock.now() + pauseMs >= endMs) throw error;
          await sleep(pauseMs, { clock, signal });
        }
      }
    },
  );
}

/** Milliseconds to the next attempt; `undefined` if there should be none. */
function pauseAfter(
  error: unknown,
  repetition: number,
  { isRead, random }: AttemptsOptions,
): number | undefined {
  const named = isStatusError(error) ? error.retryAfterMs : undefined;
  if (isStatusError(error)) {
    const code = error.httpCode;
    const isRefusal = refusals.has(code) && named !== undefined;
    if (!isRefusal && !(isRead && passing.has(code))) return undefined;
  } else if (!isRead || !isNetworkError(error)) return undefined;
  // Also a server that names no time, or a time that is over, is not asked more often than this.
  if (named !== undefined) return Math.min(Math.max(named, firstPauseMs), longestPauseMs);
  return firstPauseMs * 2 ** repetition * (1 + jitter * random());
}
