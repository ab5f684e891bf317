import { Heap, type Timer } from "@listwatch/core-fifo";
import { keyText } from "./internal/key-text.ts";
import { takeLeast } from "./internal/take-least.ts";
import type { ItemKey } from "./item-key.ts";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.ts";

interface Delayed<T> {
  readonly item: T;
  readonly key: ItemKey;
  readonly dueMs: number;
  /** Decides between items that are due at one instant: first come, first out. */
  readonly sequence: number;
}

/**
 * A {@link WorkQueue} whose items can be told to come later.
 *
 * Guarantees: an item is never queued before its time; items are queued in the order of their times (DQ-3); one that is
 * delayed twice comes at the earlier time, once (DQ-2). Each delay costs O(log n); there is one timer for all of them.
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
  readonly #delayed = new Heap<Delayed<T>>({
    keyFunc: ({ key }) => keyText(key),
    less: (a, b) => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence),
  });
  #sequence = 0;
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(options: WorkQueueOptions<T> = {}) {
    super(options);
  }

  /** How many items wait for their time; they do not count in {@link WorkQueue.length}. */
  get delayed(): number {
    return this.#delayed.length;
  }

  /**
   * Adds an item in `delayMs` milliseconds, or at once if that is not above 0. An {@link WorkQueue.add} in the meantime does
   * not cancel it (DQ-6). Does nothing once the queue is shutting down, which also drops the items that still wait.
   */
  addAfter(item: T, delayMs: number): void {
    if (this.isShuttingDown) return;
    this.countRetry();
    if (delayMs > 0) this.delay(item, this.keyOf(item), delayMs);
    else this.add(item);
  }

  /** Lets an item wait for its time, unless it does already and its time comes earlier. */
  protected delay(item: T, key: ItemKey, delayMs: number): void {
    const dueMs = this.clock.now() + delayMs;
    const present = this.#delayed.getByKey(keyText(key));
    if (present !== undefined && present.dueMs <= dueMs) return;
    this.#sequence += 1;
    this.#delayed.add({ item, key, dueMs, sequence: this.#sequence });
    this.#wakeAt(dueMs);
  }

  /** Lets an item no longer wait for its time. */
  protected cancelDelay(key: ItemKey): void {
    if (this.#delayed.length === 0) return;
    const present = this.#delayed.getByKey(keyText(key));
    if (present !== undefined) this.#delayed.delete(present);
    if (this.#delayed.length === 0) this.#cancelTimer();
  }

  protected override onShutDown(): void {
    while (takeLeast(this.#delayed) !== undefined);
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
    for (;;) {
      const next = takeLeast(this.#delayed);
      if (next === undefined) return;
      if (next.dueMs > now) {
        this.#delayed.add(next);
        this.#wakeAt(next.dueMs);
        return;
      }
      this.enqueue(next.item, next.key);
    }
  }
}
