import { DelayingQueue } from "./delaying-queue.ts";
import { defaultControllerRateLimiter, type RateLimiter } from "../limiters/rate-limiters.ts";
import type { WorkQueueOptions } from "./work-queue.ts";

/** Options of {@link RateLimitingQueue}. */
export interface RateLimitingQueueOptions<T> extends WorkQueueOptions<T> {
  /** @default defaultControllerRateLimiter() */
  readonly rateLimiter?: RateLimiter | undefined;
}

/**
 * A {@link DelayingQueue} that lets items that fail wait longer each time: the queue of a
 * controller.
 *
 * ```ts
 * import { RateLimitingQueue } from "@listwatch/workqueue";
 *
 * const queue = new RateLimitingQueue<string>();
 * queue.add("default/web");
 * using lease = await queue.get();
 * if (lease !== undefined) {
 *   try {
 *     console.log("working on", lease.item);
 *     queue.forget(lease.item);
 *   } catch {
 *     queue.addRateLimited(lease.item);
 *   }
 * }
 * ```
 */
export class RateLimitingQueue<T> extends DelayingQueue<T> {
  readonly #rateLimiter: RateLimiter;

  constructor(options: RateLimitingQueueOptions<T> = {}) {
    super(options);
    this.#rateLimiter = options.rateLimiter ?? defaultControllerRateLimiter({ clock: this.clock });
  }

  /** Adds an item when the limiter says that its time has come. */
  addRateLimited(item: T): void {
    this.addAfter(item, this.nextDelay(item));
  }

  /** Forgets the failures of an item; whether it is done is another matter. */
  forget(item: T): void {
    this.#rateLimiter.forget(this.keyOf(item));
  }

  /** The failures of an item since it was last forgotten. */
  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(this.keyOf(item));
  }

  /** Counts a failure; the delay in milliseconds. */
  protected nextDelay(item: T): number {
    return this.#rateLimiter.when(this.keyOf(item));
  }
}
