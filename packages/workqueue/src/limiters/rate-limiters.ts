import { systemClock, type Clock } from "@listwatch/core-fifo";
import {
  aClock,
  aNumber,
  checkOptions,
  growDelay,
  having,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Identifies an item. Keys are compared like those of a `Map`. */
export type ItemKey = string | number | bigint | boolean;

/** Decides how long a failed item waits. It identifies items by their keys. */
export interface RateLimiter {
  /** Counts a failure and returns the delay before the next attempt, in milliseconds. */
  when(key: ItemKey): number;
  /** Resets the failures of an item. An item that is never forgotten keeps its count. */
  forget(key: ItemKey): void;
  /** Returns the number of failures of an item since it was last forgotten. */
  numRequeues(key: ItemKey): number;
}

/** Checks an option with a {@link RateLimiter}. */
export const aRateLimiter: OptionCheck = /* @__PURE__ */ having("when", "forget", "numRequeues");

class FailureCounts {
  readonly #failures = new Map<ItemKey, number>();

  /** Counts a failure and returns the number of earlier ones. */
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
 * Delays each item by `baseMs × 2^failures`, at most `maxMs` (client-go
 * `TypedItemExponentialFailureRateLimiter`, util/workqueue/default_rate_limiters.go).
 */
export class ItemExponentialFailureRateLimiter implements RateLimiter {
  readonly #failures = new FailureCounts();
  readonly #baseMs: number;
  readonly #maxMs: number;

  /** @throws {InvalidOptionsError} if a number is negative */
  constructor(options: ItemExponentialFailureOptions) {
    const table = { baseMs: aNumber(0), maxMs: aNumber(0) };
    checkOptions(options, table, Object.keys(table));
    this.#baseMs = options.baseMs;
    this.#maxMs = options.maxMs;
  }

  when(key: ItemKey): number {
    // 2 ** 1024 is Infinity, and 0 × Infinity is NaN.
    const failures = Math.min(this.#failures.next(key), 1023);
    return growDelay(this.#baseMs, 2 ** failures, this.#maxMs);
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
  /** Number of failures of an item that get the fast delay. */
  readonly maxFastAttempts: number;
}

/** Allows each item a few quick retries, then slow ones (client-go `TypedItemFastSlowRateLimiter`). */
export class ItemFastSlowRateLimiter implements RateLimiter {
  readonly #failures = new FailureCounts();
  readonly #options: ItemFastSlowOptions;

  constructor(options: ItemFastSlowOptions) {
    const table = { fastMs: aNumber(0), slowMs: aNumber(0), maxFastAttempts: aNumber(0) };
    checkOptions(options, table, Object.keys(table));
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
  /** Number of tokens that return to the bucket a second. */
  readonly qps: number;
  /** Capacity of the bucket, in tokens. It starts full. */
  readonly burst: number;
  /** Clock by which tokens return to the bucket. @default systemClock */
  readonly clock?: Clock | undefined;
}

const bucketTable: OptionsOf<BucketOptions> = {
  qps: (value) => (typeof value === "number" && value > 0 ? undefined : "a number above 0"),
  burst: aNumber(1),
  clock: aClock,
};

/**
 * A token bucket shared by all items (client-go `TypedBucketRateLimiter`). Each call takes a token,
 * even if its item is not queued.
 */
export class BucketRateLimiter implements RateLimiter {
  readonly #qps: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** Negative while tokens are promised that do not exist yet. */
  #tokens: number;
  #lastMs: number;

  /** @throws {InvalidOptionsError} if `qps` is not above 0 or `burst` is below 1 */
  constructor(options: BucketOptions) {
    checkOptions(options, bucketTable, ["qps", "burst"]);
    const { qps, burst } = options;
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

  /** Does nothing: the bucket does not tell items apart. */
  forget(_key: ItemKey): void {}

  /** Always 0. */
  numRequeues(_key: ItemKey): number {
    return 0;
  }
}

/**
 * Combines several limiters: the longest of their delays counts (client-go
 * `TypedMaxOfRateLimiter`). Every call goes to all of them.
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
  /** Limiter whose delays are limited. It also counts the failures of each item. */
  readonly limiter: RateLimiter;
  /** Largest delay, in milliseconds. */
  readonly maxMs: number;
}

/** Limits the delays of another limiter (client-go `TypedWithMaxWaitRateLimiter`). */
export class WithMaxWaitRateLimiter implements RateLimiter {
  readonly #options: WithMaxWaitOptions;

  constructor(options: WithMaxWaitOptions) {
    const table = { limiter: aRateLimiter, maxMs: aNumber(0) };
    checkOptions(options, table, Object.keys(table));
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
 * Returns the default limiter of queues and controllers: 5 ms × 2^failures up to 1000 s for each
 * item (controller-runtime, pkg/controller/controller.go, with its priority queue).
 *
 * client-go's `DefaultTypedControllerRateLimiter` also has a bucket over all items, so one failing
 * key delays the retries of all others. For the same behaviour use `new
 * MaxOfRateLimiter([defaultControllerRateLimiter(), new BucketRateLimiter({ qps: 10, burst: 100
 * })])`.
 */
export function defaultControllerRateLimiter(): RateLimiter {
  return new ItemExponentialFailureRateLimiter({ baseMs: 5, maxMs: 1_000_000 });
}
