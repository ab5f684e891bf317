import type { Clock, Timer } from "@listwatch/core-fifo";
import { RankedHeap, type RankedNode } from "@listwatch/core-fifo/base";
import type { ItemKey } from "../limiters/rate-limiters.ts";

/** A delayed item. Its rank is the time at which it is due. */
interface Delayed<T> extends RankedNode {
  readonly item: T;
  readonly key: ItemKey;
  priority: number;
}

/**
 * Delayed items of a queue, each at most once, with one timer for all. Releases them by due time,
 * then in the order of their adds.
 */
export class Delays<T> {
  readonly #clock: Clock;
  readonly #release: (item: T, key: ItemKey, priority: number) => void;
  readonly #items = new Map<ItemKey, Delayed<T>>();
  /** The same items by due time. */
  readonly #dueOrder = new RankedHeap<Delayed<T>>();
  #timer: { readonly dueMs: number; readonly timer: Timer } | undefined;

  constructor(clock: Clock, release: (item: T, key: ItemKey, priority: number) => void) {
    this.#clock = clock;
    this.#release = release;
  }

  get size(): number {
    return this.#items.size;
  }

  /** All delayed items with their due times. */
  contents(): readonly {
    readonly item: T;
    readonly state: "delayed";
    readonly priority: number;
    readonly dueMs: number;
  }[] {
    return Array.from(this.#items.values(), (delayed) => {
      const { item, priority } = delayed;
      return { item, state: "delayed", priority, dueMs: this.#dueOrder.rankOf(delayed) };
    });
  }

  priorityOf(key: ItemKey): number | undefined {
    return this.#items.get(key)?.priority;
  }

  /** Delays an item. The earlier of two due times and the higher of two priorities win. */
  delay(item: T, key: ItemKey, delayMs: number, priority: number): void {
    const dueMs = this.#clock.now() + delayMs;
    const present = this.#items.get(key);
    if (present === undefined) {
      const delayed = { item, key, priority, place: 0 };
      this.#items.set(key, delayed);
      this.#dueOrder.push(delayed, dueMs);
    } else {
      if (present.priority < priority) present.priority = priority;
      if (this.#dueOrder.rankOf(present) <= dueMs) return;
      this.#dueOrder.lower(present, dueMs);
    }
    this.#wakeAt(dueMs);
  }

  /** Removes an item without releasing it. Returns its priority, if it was delayed. */
  cancel(key: ItemKey): number | undefined {
    const present = this.#items.get(key);
    if (present === undefined) return undefined;
    this.#items.delete(key);
    this.#dueOrder.remove(present);
    if (this.#items.size === 0) this.#cancelTimer();
    return present.priority;
  }

  clear(): void {
    this.#items.clear();
    this.#dueOrder.clear();
    this.#cancelTimer();
  }

  #wakeAt(dueMs: number): void {
    if (this.#timer !== undefined && this.#timer.dueMs <= dueMs) return;
    this.#cancelTimer();
    const timer = this.#clock.setTimeout(() => this.#releaseDue(), dueMs - this.#clock.now());
    this.#timer = { dueMs, timer };
  }

  #cancelTimer(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
  }

  #releaseDue(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    while (this.#dueOrder.leastRank <= now) {
      const due = this.#dueOrder.pop();
      if (due === undefined) return;
      this.#items.delete(due.key);
      this.#release(due.item, due.key, due.priority);
    }
    if (this.#dueOrder.length > 0) this.#wakeAt(this.#dueOrder.leastRank);
  }
}
