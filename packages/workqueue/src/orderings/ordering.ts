import { Deque } from "@listwatch/core-fifo/base";

/** A waiting item of a queue, as passed to its ordering. */
export interface WaitingItem<T> {
  /** Item to process, as it was added. */
  readonly item: T;
  /** Higher is more urgent. It may rise while the item waits. @default 0 */
  readonly priority: number;
  /** Position in the order of arrival; lower came earlier. */
  readonly sequence: number;
  /** Free for the ordering to use while the item waits, such as for an index. */
  place: number;
}

/**
 * The order in which waiting items leave a {@link WorkQueue} (client-go `Queue`,
 * util/workqueue/queue.go). The queue removes duplicates; an ordering only sorts.
 */
export interface QueueOrdering<T> {
  /** Number of waiting items. */
  readonly length: number;
  /** Called with an item that begins to wait. */
  push(waiting: WaitingItem<T>): void;
  /** Called with a waiting item that was added again. */
  touch(waiting: WaitingItem<T>): void;
  /** Called before `touch` if that add raised the priority of the item. */
  raise?(waiting: WaitingItem<T>): void;
  /** Removes and returns the next item; `undefined` only if none waits. */
  pop(): WaitingItem<T> | undefined;
}

/** First in, first out: the default ordering of a {@link WorkQueue}. O(1) per operation. */
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
