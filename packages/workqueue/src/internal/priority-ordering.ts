import type { Entry, EntryOrdering } from "./entry.ts";
import { RankedHeap } from "./ranked-heap.ts";

/** The highest priority first, first come first out within one. */
export class PriorityOrdering<T> implements EntryOrdering<T> {
  readonly #heap = new RankedHeap<Entry<T>>();

  get length(): number {
    return this.#heap.length;
  }

  push(entry: Entry<T>): void {
    this.#heap.push(entry, rankOf(entry));
  }

  /** Moves an entry whose priority was raised; within its new one it keeps the time it came. */
  touch(entry: Entry<T>): void {
    if (rankOf(entry) < this.#heap.rankOf(entry)) this.#heap.lower(entry, rankOf(entry));
  }

  pop(): Entry<T> | undefined {
    return this.#heap.pop();
  }
}

// Not −priority, which is −0 for the most usual one, and no small integer.
function rankOf({ priority }: { readonly priority: number }): number {
  return 0 - priority;
}
