import type { ItemKey } from "./item-key.ts";
import type { Lease } from "./lease.ts";
import type { QueueOrdering } from "../orderings/ordering.ts";
import type { RankedNode } from "../orderings/ranked-heap.ts";

/**
 * An item from its add to its done, the lease that a worker gets, and its node in the order of
 * those that wait: one object for all three saves look-ups and memory.
 *
 * ```
 *   waiting ──get──▶ processing ──add──▶ again          done ends it; from `again`, a new entry of the item waits
 * ```
 */
export class Entry<T> implements Lease<T>, RankedNode {
  readonly item: T;
  readonly key: ItemKey;
  state: "waiting" | "processing" | "again" | "ended" = "waiting";
  /** Of this round; in the state `again`, of the next one. */
  priority: number;
  index = 0;
  readonly #end: (entry: Entry<T>) => void;

  constructor(item: T, key: ItemKey, priority: number, end: (entry: Entry<T>) => void) {
    this.item = item;
    this.key = key;
    this.priority = priority;
    this.#end = end;
  }

  done(): void {
    this.#end(this);
  }

  [Symbol.dispose](): void {
    this.#end(this);
  }
}

/** The order of the entries that wait. */
export type EntryOrdering<T> = QueueOrdering<Entry<T>>;

/**
 * Where a queue of this package hands its own order to `WorkQueue`: to users, entries are no
 * concern.
 */
export const entryOrdering: unique symbol = Symbol("entryOrdering");

/** The option of that name. */
export interface EntryOrderingOption<T> {
  readonly [entryOrdering]?: EntryOrdering<T>;
}

/** An ordering that knows only items, as users write them. */
export class ItemOrdering<T> implements EntryOrdering<T> {
  readonly #ordering: QueueOrdering<T>;
  readonly #entryOf: (item: T) => Entry<T> | undefined;

  constructor(ordering: QueueOrdering<T>, entryOf: (item: T) => Entry<T> | undefined) {
    this.#ordering = ordering;
    this.#entryOf = entryOf;
  }

  get length(): number {
    return this.#ordering.length;
  }

  push(entry: Entry<T>): void {
    this.#ordering.push(entry.item);
  }

  touch(entry: Entry<T>): void {
    this.#ordering.touch(entry.item);
  }

  pop(): Entry<T> | undefined {
    const item = this.#ordering.pop();
    return item === undefined ? undefined : this.#entryOf(item);
  }
}
