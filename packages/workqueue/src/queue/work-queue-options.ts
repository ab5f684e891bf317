import type { Clock, MetricsSink } from "@listwatch/core-fifo";
import {
  describeValue,
  aClock,
  aFunction,
  aNumber,
  aMetricsSink,
  aString,
  checkOption,
  checkOptions,
  having,
  oneOf,
  type OptionsOf,
  type OptionCheck,
} from "@listwatch/core-fifo/base";
import type { ItemKey, RateLimiter } from "../limiters/rate-limiters.ts";
import type { QueueOrdering } from "../orderings/ordering.ts";
import { aRateLimiter } from "../limiters/rate-limiters.ts";

/** Returns the key of an item. Equal items must always have equal keys. */
export type ItemKeyFunction<T> = (item: T) => ItemKey;

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions<T> {
  /**
   * Called with each item. Items with equal keys are one item to the queue; a worker gets any of
   * them.
   *
   * @default the item itself, which must be a primitive
   */
  readonly keyFunc?: ItemKeyFunction<T> | undefined;
  /**
   * The order in which items leave. An ordering must not be shared by two queues.
   *
   * @default new FifoOrdering()
   */
  readonly ordering?: QueueOrdering<T> | undefined;
  /**
   * Computes the delays of {@link WorkQueue.addRateLimited}.
   *
   * @default defaultControllerRateLimiter()
   */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Effect of an add on the delay of the same item. `"independent"`: none, the item is added again
   * when it is due, as in client-go. `"merged"`: an item either waits or is delayed, as in
   * controller-runtime's priority queue. An add ends the delay, and delaying a waiting item only
   * raises its priority.
   *
   * @default "independent"
   */
  readonly delays?: "independent" | "merged" | undefined;
  /**
   * Items that {@link WorkQueue.shutDownWithDrain} waits for: `"all"`, or only those that are being
   * processed. The latter is client-go's way and leaves waiting items in the queue.
   *
   * @default "all"
   */
  readonly drain?: "all" | "processing" | undefined;
  /** Name of the queue: the label `name` of its metrics. @default "queue" */
  readonly name?: string | undefined;
  /** Receives the metrics of the queue, under client-go's names `workqueue_*`. @default none */
  readonly metrics?: MetricsSink | undefined;
  /** Called with the error of a metric that throws. Its value is lost. @default none */
  readonly onMetricsError?: ((error: unknown) => void) | undefined;
  /** Clock for delayed adds and for metrics. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Checks of {@link WorkQueueOptions}. */
export const queueTable: OptionsOf<WorkQueueOptions<never>> = {
  keyFunc: aFunction,
  ordering: having("push", "touch", "pop"),
  rateLimiter: aRateLimiter,
  delays: oneOf("independent", "merged"),
  drain: oneOf("all", "processing"),
  name: aString,
  metrics: aMetricsSink,
  onMetricsError: aFunction,
  clock: aClock,
};
/** Arguments of a {@link WorkQueue} without a `keyFunc`, whose items are their own keys. */
export type PrimitiveQueueArguments<T> = unknown extends T
  ? [options?: WorkQueueOptions<T>]
  : [T] extends [ItemKey]
    ? [options?: WorkQueueOptions<T>]
    : [options: KeyedQueueOptions<T>];

/** Options of a queue whose items are not primitives. */
export interface KeyedQueueOptions<T> extends WorkQueueOptions<T> {
  /** Computes the key of an item, a primitive. Two items with the same key are one. */
  readonly keyFunc: ItemKeyFunction<T>;
}

/** Options of every add. */
export interface PriorityOptions {
  /**
   * Higher leaves earlier, if the ordering uses priorities, such as {@link PriorityOrdering}. Any
   * number except NaN.
   *
   * @default 0
   */
  readonly priority?: number | undefined;
}

const priorityTable: OptionsOf<PriorityOptions> = { priority: aNumber() };

/**
 * Returns the priority of an add.
 *
 * @throws {InvalidOptionsError} if it is not a number
 */
export function priorityIn(options: PriorityOptions | undefined): number {
  if (options === undefined) return 0;
  if (!hasOnlyPriority(options)) checkOptions(options, priorityTable);
  return options.priority ?? 0;
}

/** Whether the options are clearly valid. Each add asks, and a table takes longer than the add. */
function hasOnlyPriority(options: PriorityOptions | null): boolean {
  if (options === null) return false;
  for (const name in options) if (name !== "priority") return false;
  return typeof options.priority === "number" && !Number.isNaN(options.priority);
}

const aDelay: OptionCheck = (value) => aNumber()(value) && "a number of milliseconds";

/**
 * Returns the delay of an add. NaN must not pass: such items would be due at once, again and again.
 *
 * @throws {InvalidOptionsError} if it is not a number
 */
export function checkDelay(name: string, delayMs: number): number {
  checkOption(name, delayMs, aDelay);
  return delayMs;
}

/** Options of a wait. */
export interface QueueWaitOptions {
  /** Ends the wait, which rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the item as its own key.
 *
 * @throws {TypeError} if it is not a primitive: two objects are never equal, so their queue needs a
 *   `keyFunc`
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
