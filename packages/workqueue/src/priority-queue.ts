import { Heap } from "@listwatch/core-fifo";
import { keyText } from "./internal/key-text.ts";
import { takeLeast } from "./internal/take-least.ts";
import { primitiveKey, type ItemKey, type ItemKeyFunction } from "./item-key.ts";
import type { QueueOrdering } from "./ordering.ts";
import { RateLimitingQueue, type RateLimitingQueueOptions } from "./rate-limiting-queue.ts";

/** Priority of items that are not urgent, as those of an initial list (controller-runtime `handler.LowPriority`). */
export const lowPriority = -100;

/** How an item is added. */
export interface PriorityOptions {
  /**
   * Higher leaves earlier.
   * @default 0
   */
  readonly priority?: number | undefined;
}

/** Options of {@link PriorityQueue}. Its order is its own. */
export type PriorityQueueOptions<T> = Omit<RateLimitingQueueOptions<T>, "ordering">;

interface Ranked<T> {
  readonly item: T;
  readonly key: ItemKey;
  readonly priority: number;
  readonly sequence: number;
}

/** The highest priority first, first come first out within one. */
class PriorityOrdering<T> implements QueueOrdering<T> {
  readonly #keyOf: ItemKeyFunction<T>;
  /** Of all items that are to be processed: those that wait, those that are delayed, and those added again. */
  readonly priorities = new Map<ItemKey, number>();
  /** Of the items that are being processed. */
  readonly taken = new Map<ItemKey, number>();
  readonly #heap = new Heap<Ranked<T>>({
    keyFunc: ({ key }) => keyText(key),
    less: (a, b) =>
      a.priority > b.priority || (a.priority === b.priority && a.sequence < b.sequence),
  });
  #sequence = 0;

  constructor(keyOf: ItemKeyFunction<T>) {
    this.#keyOf = keyOf;
  }

  get length(): number {
    return this.#heap.length;
  }

  push(item: T): void {
    const key = this.#keyOf(item);
    this.#sequence += 1;
    const priority = this.priorities.get(key) ?? 0;
    this.#heap.add({ item, key, priority, sequence: this.#sequence });
  }

  /** Moves an item whose priority was raised; within its new one it keeps the time it came. */
  touch(item: T): void {
    const key = this.#keyOf(item);
    const present = this.#heap.getByKey(keyText(key));
    const priority = this.priorities.get(key) ?? 0;
    if (present !== undefined && present.priority < priority) {
      this.#heap.add({ ...present, priority });
    }
  }

  pop(): T | undefined {
    const next = takeLeast(this.#heap);
    if (next === undefined) return undefined;
    this.priorities.delete(next.key);
    this.taken.set(next.key, next.priority);
    return next.item;
  }
}

/**
 * A {@link RateLimitingQueue} with priorities, as controller-runtime has it.
 *
 * Guarantees: of the items that wait, one with the highest priority leaves, the oldest of them first. An add raises the
 * priority of an item that is queued, delayed or added again, and never lowers it. Other than in a {@link DelayingQueue} an
 * item is either delayed or waits: adding it ends its delay. Not guaranteed: that low priorities get a turn at all.
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
  readonly #ordering: PriorityOrdering<T>;

  constructor(options: PriorityQueueOptions<T> = {}) {
    const ordering = new PriorityOrdering<T>(options.keyFunc ?? primitiveKey);
    super({ ...options, ordering });
    this.#ordering = ordering;
  }

  override add(item: T, options?: PriorityOptions): void {
    if (this.isShuttingDown) return;
    const key = this.keyOf(item);
    this.#raise(key, options);
    this.cancelDelay(key);
    this.enqueue(item, key);
  }

  override addAfter(item: T, delayMs: number, options?: PriorityOptions): void {
    if (this.isShuttingDown) return;
    const key = this.keyOf(item);
    this.countRetry();
    if (delayMs > 0 && !this.isPending(key)) {
      this.#raise(key, options);
      this.delay(item, key, delayMs);
    } else {
      this.add(item, options);
    }
  }

  override addRateLimited(item: T, options?: PriorityOptions): void {
    this.addAfter(item, this.nextDelay(item), options);
  }

  /** The priority that an item is queued or delayed with or, if it is not, is being processed with. */
  priorityOf(item: T): number | undefined {
    const key = this.keyOf(item);
    return this.#ordering.priorities.get(key) ?? this.#ordering.taken.get(key);
  }

  protected override onDone(key: ItemKey): void {
    this.#ordering.taken.delete(key);
  }

  #raise(key: ItemKey, options: PriorityOptions | undefined): void {
    const { priorities } = this.#ordering;
    const priority = options?.priority ?? 0;
    const present = priorities.get(key);
    if (present === undefined || present < priority) priorities.set(key, priority);
  }
}
