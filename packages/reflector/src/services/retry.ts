import { isStatusError } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import { Backoff, sleep, type Clock } from "@listwatch/core-fifo/base";
import type { Settings } from "../options/settings.ts";

/** Time within which requests, and retries without delay, are counted. */
const windowMs = 10_000;

/**
 * Bounds the requests of one object, whatever the server does to it: not more than so many begin
 * within 10 s. The pages of one list count as one request.
 */
export class RequestBudget {
  readonly #max: number;
  readonly #clock: Clock;
  /** When the last requests began, the oldest first. */
  #begunMs: readonly number[] = [];

  constructor(max: number, clock: Clock) {
    this.#max = max;
    this.#clock = clock;
  }

  /**
   * Counts a request, after a wait if there were too many lately.
   *
   * @throws the reason of the signal when it is aborted before
   */
  async take(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const waitMs = this.tryTake();
      if (waitMs === 0) return;
      await sleep(waitMs, { clock: this.#clock, signal });
    }
  }

  /** Counts a request and returns 0, or returns the time until the next one is free. */
  tryTake(): number {
    if (this.#max === Infinity) return 0;
    const now = this.#clock.now();
    this.#begunMs = this.#begunMs.filter((time) => now - time <= windowMs);
    const [oldest] = this.#begunMs;
    if (oldest !== undefined && this.#begunMs.length >= this.#max)
      return oldest + windowMs + 1 - now;
    this.#begunMs = [...this.#begunMs, now];
    return 0;
  }
}

/**
 * Returns the delay that a server requests, in milliseconds, at most the given time; 0 if it
 * requests none.
 */
export function boundedRetryAfterMs(error: unknown, maxMs: number): number {
  const afterMs = (isStatusError(error) && error.retryAfterMs) || 0;
  return afterMs > 0 ? Math.min(afterMs, maxMs) : 0;
}

type DelaySettings = Pick<Settings<never>, "backoff" | "behaviour" | "clock" | "random" | "retry">;

/** Why there is a delay. */
interface DelayReason {
  readonly cause: unknown;
  /** No server was reached. */
  readonly isUnreached: boolean;
}

/** How long to wait before the next request, and whether to wait at all. */
export class RetryDelays {
  readonly #retry: DelaySettings["retry"];
  readonly #backoff: Backoff;
  /** Delays after expired states. */
  readonly #expired: Backoff;
  /** Retries without delay. */
  readonly #immediate: RequestBudget;

  constructor(settings: DelaySettings) {
    const { backoff, behaviour, clock, random, retry } = settings;
    this.#retry = retry;
    const options = { ...backoff, clock, random };
    this.#backoff = new Backoff(options);
    this.#immediate = new RequestBudget(behaviour.maxImmediateRetries, clock);
    // A server that says so works: it is not left alone for as long as an outage before has taught.
    this.#expired = behaviour.sparesExpired ? new Backoff(options) : this.#backoff;
  }

  /**
   * Length of the next delay; a Retry-After in the error is its lower bound. When no server was
   * reached, the delay spares none, and is short.
   */
  nextMs({ cause, isUnreached }: DelayReason): number {
    const { maxRetryAfterMs, unreachableCapMs } = this.#retry;
    const atMostMs = isUnreached ? unreachableCapMs : Infinity;
    const backoff = isExpired(cause) ? this.#expired : this.#backoff;
    return backoff.next(boundedRetryAfterMs(cause, maxRetryAfterMs), atMostMs);
  }

  /** Counts a request without delay; `false` if there were too many of them lately. */
  takeImmediate(): boolean {
    return this.#immediate.tryTake() === 0;
  }
}

/** Failures further apart than this do not belong together (client-go `minResetPeriod`). */
const forgetMs = 60_000;

/**
 * For how long a row of failures is answered by a retry in place (client-go `RetryWithDeadline`,
 * tools/cache/retry_with_deadline.go).
 */
export class RetryWithDeadline {
  readonly #maxMs: number;
  readonly #clock: Clock;
  #firstMs: number | undefined;
  #lastMs = 0;

  constructor(maxMs: number, clock: Clock) {
    this.#maxMs = maxMs;
    this.#clock = clock;
  }

  /** Notes a failure; returns whether to retry in place. */
  shouldRetry(): boolean {
    const now = this.#clock.now();
    if (this.#firstMs === undefined || now - this.#lastMs >= forgetMs) this.#firstMs = now;
    this.#lastMs = now;
    if (this.#maxMs <= 0) return false;
    if (now - this.#firstMs <= this.#maxMs) return true;
    this.#firstMs = undefined;
    return false;
  }
}
