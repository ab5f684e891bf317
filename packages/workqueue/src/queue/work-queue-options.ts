import type { Clock } from "@listwatch/core-fifo";
import { createInvalidOptionError, describeValue } from "@listwatch/core-fifo/base";
import type { ItemKey, RateLimiter } from "../limiters/rate-limiters.ts";
import type { QueueOrdering } from "../orderings/ordering.ts";
import type { QueueMetrics } from "./metrics.ts";

/** Returns the key of an item: equal items have equal keys, at all times. */
export type ItemKeyFunction<T> = (item: T) => ItemKey;

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions<T> {
  /**
   * Called with an item; items with the same key are the same item to the queue, and it is not
   * defined which of them a worker gets.
   *
   * @default the item itself, which must be a primitive
   */
  readonly keyFunc?: ItemKeyFunction<T> | undefined;
  /**
   * The order in which items leave. It belongs to this queue from now on.
   *
   * @default new FifoOrdering()
   */
  readonly ordering?: QueueOrdering<T> | undefined;
  /**
   * The delays of {@link WorkQueue.addRateLimited}.
   *
   * @default defaultControllerRateLimiter()
   */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * What an add does to the delay of the same item. `"independent"`: nothing, the item is added
   * again at its time, as in client-go. `"merged"`: an item either waits or is delayed, as in
   * controller-runtime's priority queue: an add ends its delay, and a delay of an item that waits
   * only raises its priority.
   *
   * @default "independent"
   */
  readonly delays?: "independent" | "merged" | undefined;
  /**
   * What {@link WorkQueue.shutDownWithDrain} waits for: all items, or only those in the hands of
   * workers, as client-go does, which leaves behind what no worker has taken yet.
   *
   * @default "all"
   */
  readonly drain?: "all" | "processing" | undefined;
  /** Metrics of this queue. @default none */
  readonly metrics?: QueueMetrics | undefined;
  /** Called with what a metric throws; the value is lost and the queue goes on. */
  readonly onMetricsError?: ((error: unknown) => void) | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Options of every add. */
export interface PriorityOptions {
  /**
   * Higher leaves earlier, if the ordering looks at it: {@link PriorityOrdering}. Any number but
   * NaN, which is neither higher nor lower than another.
   *
   * @default 0
   */
  readonly priority?: number | undefined;
}

/**
 * The priority of an add.
 *
 * @throws {InvalidOptionsError} if it is no number
 */
export function priorityIn(options: PriorityOptions | undefined): number {
  const priority = options?.priority;
  if (priority === undefined) return 0;
  if (isNumber(priority)) return priority;
  throw createInvalidOptionError("priority", "a number", priority);
}

/**
 * Returns the delay of an add. NaN would be a storm: no time has passed, and none is left.
 *
 * @throws {InvalidOptionsError} if it is no number
 */
export function checkDelay(name: string, delayMs: number): number {
  if (isNumber(delayMs)) return delayMs;
  throw createInvalidOptionError(name, "a number of milliseconds", delayMs);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && !Number.isNaN(value);
}

/** Options of a wait. */
export interface QueueWaitOptions {
  /** Ends the wait, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The item itself, which is its own key if it is a primitive.
 *
 * @throws {TypeError} if it is not: two objects are never equal, so their queue needs a keyFunc
 */
export function primitiveKey(item: unknown): ItemKey {
  switch (typeof item) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return item;
    case "object":
    case "function":
    case "symbol":
    case "undefined":
    default:
      throw new TypeError(
        `Cannot tell an item from others: expected a primitive or a queue with a keyFunc, got ${describeValue(item)}`,
      );
  }
}
