import type { Entry, EntryOrdering } from "../queue/work-item.ts";
import { RankedQueue } from "./ranked-queue.ts";

/** The highest priority first, first come first out within one. */
export class PriorityOrdering<T> implements EntryOrdering<T> {
  readonly #queue = new RankedQueue<Entry<T>>();

  get length(): number {
    return this.#queue.length;
  }

  push(entry: Entry<T>): void {
    this.#queue.push(entry, rankOf(entry));
  }

  /** Moves an entry whose priority was raised; within its new one it keeps the time it came. */
  touch(entry: Entry<T>): void {
    if (rankOf(entry) < this.#queue.rankOf(entry)) this.#queue.lower(entry, rankOf(entry));
  }

  pop(): Entry<T> | undefined {
    return this.#queue.pop();
  }
}

// Not −priority, which is −0 for the most usual one, and no small integer.
function rankOf({ priority }: { readonly priority: number }): number {
  return 0 - priority;
}
