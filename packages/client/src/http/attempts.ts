import {
  describeDuration,
  jitterDelay,
  sleep,
  withTimeLimit,
  type Clock,
  type Random,
} from "@listwatch/core-fifo/base";
import { isNetworkError, NetworkError } from "../errors/network-error.ts";
import { isStatusError } from "../errors/status-error.ts";

/**
 * Delay before the first repetition, in milliseconds. It doubles with each: client-go
 * `BackoffManager`.
 */
const firstPauseMs = 1000;

/** Largest random extension of a delay, as a share, so that clients do not return all at once. */
const jitter = 0.2;

/** Longest delay that a server can request, in milliseconds. */
const longestPauseMs = 60_000;

/** Codes of refusals, after which the server has done nothing. */
const refusals: ReadonlySet<number> = new Set([429, 503]);

/** Codes after which a read can succeed if repeated. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Number of earlier attempts, by the signal that the requests of the attempts have. */
const repetitions = new WeakMap<AbortSignal, number>();

/** Returns the number of earlier attempts of a request. */
export function repetitionOf(signal: AbortSignal | undefined): number {
  return (signal && repetitions.get(signal)) ?? 0;
}

/** Marks a signal that is derived from that of an attempt. */
export function noteRepetition(signal: AbortSignal, of: AbortSignal | undefined): void {
  const repetition = repetitionOf(of);
  if (repetition > 0) repetitions.set(signal, repetition);
}

/** Options of {@link makeAttempts}. */
export interface AttemptsOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Whether the request only reads, so that repeating it is harmless. */
  readonly isRead: boolean;
  /** Start of error messages. */
  readonly attempted: string;
  /** Time limit of all attempts and delays together, in milliseconds. */
  readonly timeoutMs: number;
  /** Returns the time at which the signal will be aborted; no delay exceeds it. @default none */
  readonly endMs?: (() => number) | undefined;
  /** Maximum number of attempts after the first one. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes attempts until one succeeds, within a time limit. An attempt is repeated if the server
 * refuses it with a delay. A read is also repeated after a failure of the server or the network.
 *
 * @throws the error of the last attempt, if another one is useless or too late;
 *   {@link
 *   NetworkError} of kind `timeout` at the limit; the reason of the signal
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
          if (repetition > 0) repetitions.set(signal, repetition);
          return await attempt(signal);
        } catch (error) {
          failure = error;
          const pauseMs = pauseAfter(error, repetition, options);
          if (signal.aborted || repetition >= retries || pauseMs === undefined) throw error;
          const pausedUntilMs = clock.now() + pauseMs;
          if (pausedUntilMs >= Math.min(endMs, options.endMs?.() ?? Infinity)) throw error;
          await sleep(pauseMs, { clock, signal });
        }
      }
    },
  );
}

/** Returns the delay before the next attempt, in milliseconds; `undefined` if there should be none. */
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
  // A server that requests no delay, or a time in the past, is not asked more often than this.
  if (named !== undefined) return Math.min(Math.max(named, firstPauseMs), longestPauseMs);
  return jitterDelay(firstPauseMs * 2 ** repetition, jitter, random);
}
