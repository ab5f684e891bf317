import type { Timer } from "@listwatch/core-fifo";
import type { RankedNode } from "../orderings/ranked-heap.ts";
import { RankedQueue } from "../orderings/ranked-queue.ts";
import type { ItemKey } from "./item-key.ts";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

/** An item that waits for its time, which is its rank. */
class Delayed<T> implements RankedNode {
  readonly item: T;
  readonly key: ItemKey;
  priority: number;
  index = 0;

  constructor(item: T, key: ItemKey, priority: number) {
    this.item = item;
    this.key = key;
    this.priority = priority;
  }
}

/**
 * A {@link WorkQueue} whose items can be told to come later.
 *
 * Guarantees: an item is never queued before its time; items are queued in the order of their times
 * (DQ-3); one that is delayed twice comes at the earlier time, once (DQ-2). Each delay costs O(log
 * n) and about 120 bytes; there is one timer for all of them.
 *
 * ```ts
 * import { DelayingQueue } from "@listwatch/workqueue";
 * import { SimulatedClock } from "@listwatch/core-fifo/testing";
 *
 * const clock = new SimulatedClock();
 * const queue = new DelayingQueue<string>({ clock });
 * queue.addAfter("default/web", 5_000);
 * await clock.advance(4_999);
 * console.assert(queue.length === 0);
 * await clock.advance(1);
 * console.assert(queue.length === 1);
 * ```
 */
export class DelayingQueue<T> extends WorkQueue<T> {
  /** Every item that waits for its time. */
  readonly #delayed = new Map<ItemKey, Delayed<T>>();
  /** The same by their times, equal times in the order of their adds. */
  readonly #dueOrder = new RankedQueue<Delayed<T>>();
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
  }

  /** How many items wait for their time; they do not count in {@link WorkQueue.length}. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /**
   * Adds an item in `delayMs` milliseconds, or at once if that is not above 0. An
   * {@link WorkQueue.add} in the meantime does not cancel it (DQ-6). Does nothing once the queue is
   * shutting down, which also drops the items that still wait.
   */
  addAfter(item: T, delayMs: number): void {
    if (this.isShuttingDown) return;
    this.countRetry();
    if (delayMs > 0) this.delay(item, this.keyOf(item), delayMs);
    else this.add(item);
  }

  /** Lets an item wait for its time, or for the earlier of two; the higher of two priorities counts. */
  protected delay(item: T, key: ItemKey, delayMs: number, priority = 0): void {
    const dueMs = this.clock.now() + delayMs;
    const present = this.#delayed.get(key);
    if (present === undefined) {
      const delayed = new Delayed(item, key, priority);
      this.#delayed.set(key, delayed);
      this.#dueOrder.push(delayed, dueMs);
    } else {
      if (present.priority < priority) present.priority = priority;
      if (this.#dueOrder.rankOf(present) <= dueMs) return;
      this.#dueOrder.lower(present, dueMs);
    }
    this.#wakeAt(dueMs);
  }

  /** The priority of an item that waits for its time. */
  protected delayedPriority(key: ItemKey): number | undefined {
    return this.#delayed.get(key)?.priority;
  }

  /** Lets an item no longer wait for its time. */
  protected cancelDelay(key: ItemKey): void {
    const present = this.#delayed.get(key);
    if (present === undefined) return;
    this.#delayed.delete(key);
    this.#dueOrder.remove(present);
    if (this.#delayed.size === 0) this.#cancelTimer();
  }

  protected override onShutDown(): void {
    this.#delayed.clear();
    this.#dueOrder.clear();
    this.#cancelTimer();
  }

  #wakeAt(dueMs: number): void {
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#cancelTimer();
    const timer = this.clock.setTimeout(() => this.#releaseDue(), dueMs - this.clock.now());
    this.#timer = { dueMs, timer };
  }

  #cancelTimer(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  #releaseDue(): void {
    this.#timer = undefined;
    const now = this.clock.now();
    while (this.#dueOrder.leastRank <= now) {
      const due = this.#dueOrder.pop();
      if (due === undefined) return;
      this.#delayed.delete(due.key);
      this.enqueue(due.item, due.key, due.priority);
    }
    if (this.#dueOrder.length > 0) this.#wakeAt(this.#dueOrder.leastRank);
  }
}
