import { isStatusError } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import { Backoff } from "./backoff.ts";
import type { Settings } from "../options/settings.ts";

/** Time within which the immediate retries are counted. */
const windowMs = 10_000;

/**
 * Returns the delay that a server requests, in milliseconds, at most the given time; 0 if it
 * requests none.
 */
export function boundedRetryAfterMs(error: unknown, maxMs: number): number {
  const afterMs = (isStatusError(error) && error.retryAfterMs) || 0;
  return afterMs > 0 ? Math.min(afterMs, maxMs) : 0;
}

type DelaySettings = Pick<Settings<never>, "behaviour" | "clock" | "random" | "retry">;

/** Why there is a delay. */
interface DelayReason {
  readonly cause: unknown;
  /** No server was reached. */
  readonly isUnreached: boolean;
}

/** How long to wait before the next request, and whether to wait at all. */
export class RetryDelays {
  readonly #settings: DelaySettings;
  readonly #backoff: Backoff;
  /** Delays after expired states. */
  readonly #expired: Backoff;
  /** When the retries without delay were made, within the last {@link windowMs}. */
  #immediateMs: readonly number[] = [];

  constructor(settings: DelaySettings) {
    const { behaviour, clock, random, retry } = settings;
    this.#settings = settings;
    const options = { ...retry.backoff, resetRule: behaviour.backoffReset, clock, random };
    this.#backoff = new Backoff(options);
    // A server that says so works: it is not left alone for as long as an outage before has taught.
    this.#expired = behaviour.sparesExpired ? new Backoff(options) : this.#backoff;
  }

  /**
   * Length of the next delay; a Retry-After in the error is its lower bound. When no server was
   * reached, the delay spares none, and is short.
   */
  nextMs({ cause, isUnreached }: DelayReason): number {
    const { maxRetryAfterMs, unreachableCapMs } = this.#settings.retry;
    const atMostMs = isUnreached ? unreachableCapMs : Infinity;
    const backoff = isExpired(cause) ? this.#expired : this.#backoff;
    return backoff.next(boundedRetryAfterMs(cause, maxRetryAfterMs), atMostMs);
  }

  /** Counts a request without delay; `false` if there were too many of them lately. */
  takeImmediate(): boolean {
    const { behaviour, clock } = this.#settings;
    const { maxImmediateRetries } = behaviour;
    if (maxImmediateRetries === Infinity) return true;
    const now = clock.now();
    const lately = this.#immediateMs.filter((time) => now - time < windowMs);
    const isAllowed = lately.length < maxImmediateRetries;
    this.#immediateMs = isAllowed ? [...lately, now] : lately;
    return isAllowed;
  }
}
