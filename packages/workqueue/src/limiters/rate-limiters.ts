import { systemClock, type Clock } from "@listwatch/core-fifo";
import { checkAtLeast, createInvalidOptionError } from "@listwatch/core-fifo/base";

/** What tells items apart: compared as the keys of a `Map` are. */
export type ItemKey = string | number | bigint | boolean;

/** Decides how long an item that failed has to wait. It knows items by their keys. */
export interface RateLimiter {
  /** Counts a failure and returns the delay before the next attempt, in milliseconds. */
  when(key: ItemKey): number;
  /** Forgets the failures of an item. An item that is never forgotten keeps its count. */
  forget(key: ItemKey): void;
  /** The failures of an item since it was last forgotten. */
  numRequeues(key: ItemKey): number;
}

/** The failures of each item. */
class FailureCounts {
  readonly #failures = new Map<ItemKey, number>();

  /** Counts one more and returns how many there were before. */
  next(key: ItemKey): number {
    const failures = this.get(key);
    this.#failures.set(key, failures + 1);
    return failures;
  }

  get(key: ItemKey): number {
    return this.#failures.get(key) ?? 0;
  }

  delete(key: ItemKey): void {
    this.#failures.delete(key);
  }
}

/** Options of {@link ItemExponentialFailureRateLimiter}. */
export interface ItemExponentialFailureOptions {
  /** Delay after the first failure, in milliseconds. */
  readonly baseMs: number;
  /** Largest delay, in milliseconds. */
  readonly maxMs: number;
}

/**
 * `baseMs × 2^failures`, up to `maxMs`, for each item by itself (client-go
 * `TypedItemExponentialFailureRateLimiter`, util/workqueue/default_rate_limiters.go).
 */
export class ItemExponentialFailureRateLimiter implements RateLimiter {
  readonly #failures = new FailureCounts();
  readonly #baseMs: number;
  readonly #maxMs: number;

  /** @throws {InvalidOptionsError} if a number is negative */
  constructor(options: ItemExponentialFailureOptions) {
    checkAtLeast("baseMs", options.baseMs, 0);
    checkAtLeast("maxMs", options.maxMs, 0);
    this.#baseMs = options.baseMs;
    this.#maxMs = options.maxMs;
  }

  when(key: ItemKey): number {
    // 2 ** 1024 is Infinity, and 0 × Infinity would be no number.
    const failures = Math.min(this.#failures.next(key), 1023);
    return Math.min(this.#baseMs * 2 ** failures, this.#maxMs);
  }

  forget(key: ItemKey): void {
    this.#failures.delete(key);
  }

  numRequeues(key: ItemKey): number {
    return this.#failures.get(key);
  }
}

/** Options of {@link ItemFastSlowRateLimiter}. */
export interface ItemFastSlowOptions {
  /** Delay after each of the first failures, in milliseconds. */
  readonly fastMs: number;
  /** Delay after each later failure, in milliseconds. */
  readonly slowMs: number;
  /** How many failures of an item get the fast delay. */
  readonly maxFastAttempts: number;
}

/**
 * A few quick retries, then slow ones, for each item by itself (client-go
 * `TypedItemFastSlowRateLimiter`).
 */
export class ItemFastSlowRateLimiter implements RateLimiter {
  readonly #failures = new FailureCounts();
  readonly #options: ItemFastSlowOptions;

  constructor(options: ItemFastSlowOptions) {
    this.#options = options;
  }

  when(key: ItemKey): number {
    const { fastMs, slowMs, maxFastAttempts } = this.#options;
    return this.#failures.next(key) < maxFastAttempts ? fastMs : slowMs;
  }

  forget(key: ItemKey): void {
    this.#failures.delete(key);
  }

  numRequeues(key: ItemKey): number {
    return this.#failures.get(key);
  }
}

/** Options of {@link BucketRateLimiter}. */
export interface BucketOptions {
  /** Tokens per second. */
  readonly qps: number;
  /** Tokens that the bucket holds, and has at the beginning. */
  readonly burst: number;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * A token bucket for all items together (client-go `TypedBucketRateLimiter`). Each call takes a
 * token, also if its item is not queued after all.
 */
export class BucketRateLimiter implements RateLimiter {
  readonly #qps: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Below 0, so many tokens are promised that do not exist yet. */
  #tokens: number;
  #lastMs: number;

  /** @throws {InvalidOptionsError} if `qps` is not above 0 or `burst` is below 1 */
  constructor(options: BucketOptions) {
    const { qps, burst } = options;
    if (!(qps > 0)) throw createInvalidOptionError("qps", "a number above 0", qps);
    checkAtLeast("burst", burst, 1);
    this.#qps = qps;
    this.#burst = burst;
    this.#clock = options.clock ?? systemClock;
    this.#tokens = this.#burst;
    this.#lastMs = this.#clock.now();
  }

  when(_key: ItemKey): number {
    const now = this.#clock.now();
    const earned = ((now - this.#lastMs) / 1000) * this.#qps;
    this.#tokens = Math.min(this.#tokens + earned, this.#burst) - 1;
    this.#lastMs = now;
    return this.#tokens < 0 ? (-this.#tokens / this.#qps) * 1000 : 0;
  }

  /** Does nothing: a bucket knows no items. */
  forget(_key: ItemKey): void {}

  /** Always 0. */
  numRequeues(_key: ItemKey): number {
    return 0;
  }
}

/**
 * The longest delay that any of several limiters gives; all of them are asked, and all forget
 * (client-go `TypedMaxOfRateLimiter`).
 */
export class MaxOfRateLimiter implements RateLimiter {
  readonly #limiters: readonly RateLimiter[];

  constructor(limiters: readonly RateLimiter[]) {
    this.#limiters = limiters;
  }

  when(key: ItemKey): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.when(key)));
  }

  forget(key: ItemKey): void {
    for (const limiter of this.#limiters) limiter.forget(key);
  }

  numRequeues(key: ItemKey): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.numRequeues(key)));
  }
}

/** Options of {@link WithMaxWaitRateLimiter}. */
export interface WithMaxWaitOptions {
  readonly limiter: RateLimiter;
  /** Largest delay, in milliseconds. */
  readonly maxMs: number;
}

/** Another limiter with a limit on its delays (client-go `TypedWithMaxWaitRateLimiter`). */
export class WithMaxWaitRateLimiter implements RateLimiter {
  readonly #options: WithMaxWaitOptions;

  constructor(options: WithMaxWaitOptions) {
    this.#options = options;
  }

  when(key: ItemKey): number {
    return Math.min(this.#options.limiter.when(key), this.#options.maxMs);
  }

  forget(key: ItemKey): void {
    this.#options.limiter.forget(key);
  }

  numRequeues(key: ItemKey): number {
    return this.#options.limiter.numRequeues(key);
  }
}

/**
 * The default limiter of queues and controllers: 5 ms × 2^failures up to 1000 s for each item
 * (controller-runtime, pkg/controller/controller.go, with its priority queue).
 *
 * client-go's `DefaultTypedControllerRateLimiter` also has a bucket over all items, which lets one
 * key that fails hold up the retries of all others. To have it: `new
 * MaxOfRateLimiter([defaultControllerRateLimiter(), new BucketRateLimiter({ qps: 10, burst: 100
 * })])`.
 */
export function defaultControllerRateLimiter(): RateLimiter {
  return new ItemExponentialFailureRateLimiter({ baseMs: 5, maxMs: 1_000_000 });
}
