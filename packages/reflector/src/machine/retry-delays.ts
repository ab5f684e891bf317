import { retryAfterMs } from "@listwatch/client";
import { Backoff } from "./backoff.ts";
import type { Settings } from "./settings.ts";

/** Time within which the immediate retries are counted. */
const windowMs = 10_000;

type DelaySettings = Pick<
  Settings<never>,
  "backoffReset" | "clock" | "maxImmediateRetries" | "random" | "retry"
>;

/** How long to wait before the next request, and whether to wait at all. */
export class RetryDelays {
  readonly #settings: DelaySettings;
  readonly #backoff: Backoff;
  /** When the retries without delay were made, within the last {@link windowMs}. */
  #immediateMs: readonly number[] = [];

  constructor(settings: DelaySettings) {
    const { backoffReset, clock, random, retry } = settings;
    this.#settings = settings;
    this.#backoff = new Backoff({ ...retry.backoff, resetRule: backoffReset, clock, random });
  }

  /** Length of the next delay; a Retry-After in the error is its lower bound. */
  nextMs(error: unknown): number {
    const { maxRetryAfterMs } = this.#settings.retry;
    return this.#backoff.next(Math.min(retryAfterMs(error) ?? 0, maxRetryAfterMs));
  }

  /** Counts a request without delay; `false` if there were too many of them lately. */
  takeImmediate(): boolean {
    const { clock, maxImmediateRetries } = this.#settings;
    if (maxImmediateRetries === Infinity) return true;
    const now = clock.now();
    const lately = this.#immediateMs.filter((time) => now - time < windowMs);
    const isAllowed = lately.length < maxImmediateRetries;
    this.#immediateMs = isAllowed ? [...lately, now] : lately;
    return isAllowed;
  }
}
