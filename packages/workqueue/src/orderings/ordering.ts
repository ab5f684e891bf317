import { Deque } from "@listwatch/core-fifo/base";

/** An item that waits in a queue, as its ordering sees it. */
export interface WaitingItem<T> {
  readonly item: T;
  /** Higher is more urgent; 0 unless it was added with another one. May rise while the item waits. */
  readonly priority: number;
  /** The place in the order of arrival: lower came earlier. */
  readonly sequence: number;
  /** Belongs to the ordering while the item waits, to note where it is. */
  place: number;
}

/**
 * The order in which waiting items leave a {@link WorkQueue} (client-go `Queue`,
 * util/workqueue/queue.go). The queue keeps the items distinct; an ordering only keeps their
 * order.
 */
export interface QueueOrdering<T> {
  /** How many items wait. */
  readonly length: number;
  /** Called with an item that does not wait yet. */
  push(waiting: WaitingItem<T>): void;
  /** Called with an item that waits when it is added once more. */
  touch(waiting: WaitingItem<T>): void;
  /** Called before that when the add has raised the priority of the item. */
  raise?(waiting: WaitingItem<T>): void;
  /** Takes the next item out: one that was pushed, or `undefined` only when none waits. */
  pop(): WaitingItem<T> | undefined;
}

/** First in, first out: the default order of a {@link WorkQueue}. O(1) per operation. */
export class FifoOrdering<T = string> implements QueueOrdering<T> {
  readonly #items = new Deque<WaitingItem<T>>();

  get length(): number {
    return this.#items.length;
  }

  push(waiting: WaitingItem<T>): void {
    this.#items.push(waiting);
  }

  /** Does nothing: an item keeps its place. */
  touch(_waiting: WaitingItem<T>): void {}

  pop(): WaitingItem<T> | undefined {
    return this.#items.shift();
  }
}
