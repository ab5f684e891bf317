import { entryOrdering, type EntryOrderingOption } from "./work-item.ts";
import { PriorityOrdering } from "../orderings/priority-ordering.ts";
import type { ItemKey } from "./item-key.ts";
import { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate-limiting-queue.ts";

/**
 * Priority of items that are not urgent, as those of an initial list (controller-runtime
 * `handler.LowPriority`).
 */
export const lowPriority = -100;

/** How an item is added. */
export interface PriorityOptions {
  /**
   * Higher leaves earlier.
   *
   * @default 0
   */
  readonly priority?: number | undefined;
}

/** Options of {@link PriorityQueue}. Its order is its own. */
export type PriorityQueueOptions<T> = Omit<RateLimitingQueueOptions<T>, "ordering">;

/**
 * A {@link RateLimitingQueue} with priorities, as controller-runtime has it.
 *
 * Guarantees: of the items that wait, one with the highest priority leaves, the oldest of them
 * first. An add raises the priority of an item that is queued, delayed or added again, and never
 * lowers it. Other than in a {@link DelayingQueue} an item is either delayed or waits: adding it
 * ends its delay. Every operation is O(log n), an item that waits takes about 130 bytes. Not
 * guaranteed: that low priorities get a turn at all.
 *
 * ```ts
 * import { lowPriority, PriorityQueue } from "@listwatch/workqueue";
 *
 * const queue = new PriorityQueue<string>();
 * queue.add("from the initial list", { priority: lowPriority });
 * queue.add("just changed");
 * queue.shutDown();
 * console.assert((await Array.fromAsync(queue))[0] === "just changed");
 * ```
 */
export class PriorityQueue<T> extends RateLimitingQueue<T> {
  constructor(options: PriorityQueueOptions<T> = {}) {
    const withOrdering: PriorityQueueOptions<T> & EntryOrderingOption<T> = {
      ...options,
      [entryOrdering]: new PriorityOrdering<T>(),
    };
    super(withOrdering);
  }

  override add(item: T, options?: PriorityOptions): void {
    if (this.isShuttingDown) return;
    this.#addNow(item, this.keyOf(item), options?.priority ?? 0);
  }

  override addAfter(item: T, delayMs: number, options?: PriorityOptions): void {
    if (this.isShuttingDown) return;
    const key = this.keyOf(item);
    const priority = options?.priority ?? 0;
    this.countRetry();
    if (delayMs > 0 && !this.isPending(key)) this.delay(item, key, delayMs, priority);
    else this.#addNow(item, key, priority);
  }

  override addRateLimited(item: T, options?: PriorityOptions): void {
    this.addAfter(item, this.nextDelay(item), options);
  }

  /** The priority that an item is queued or delayed with or, if it is not, is being processed with. */
  priorityOf(item: T): number | undefined {
    const key = this.keyOf(item);
    return this.delayedPriority(key) ?? this.pendingPriority(key);
  }

  #addNow(item: T, key: ItemKey, priority: number): void {
    const delayed = this.delayed === 0 ? undefined : this.delayedPriority(key);
    if (delayed === undefined) {
      this.enqueue(item, key, priority);
      return;
    }
    this.cancelDelay(key);
    this.enqueue(item, key, Math.max(delayed, priority));
  }
}
