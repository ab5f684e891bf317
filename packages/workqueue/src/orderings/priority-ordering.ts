import { Deque, RankedHeap } from "@listwatch/core-fifo/base";
import type { QueueOrdering, WaitingItem } from "./ordering.ts";

/**
 * Priority of items that are not urgent, such as those of an initial list (controller-runtime
 * `handler.LowPriority`).
 */
export const lowPriority = -100;

/** `place` of an item in the run. In the heap, `place` is its index. */
const inRun = -1;
/** Gaps that cost less to keep than to close. */
const manyGaps = 32;

/**
 * Highest priority first; first in, first out within a priority (controller-runtime
 * pkg/controller/priorityqueue).
 *
 * An add can raise the priority of a waiting item, never lower it. The item then leaves as if it
 * had been added with the higher priority from the beginning. O(log n) per operation. Not
 * guaranteed: that items of low priority leave while there are others.
 *
 * ```ts
 * import { lowPriority, PriorityOrdering, WorkQueue } from "@listwatch/workqueue";
 *
 * const queue = new WorkQueue<string>({ ordering: new PriorityOrdering(), delays: "merged" });
 * queue.add("from the initial list", { priority: lowPriority });
 * queue.add("just changed");
 * queue.shutDown();
 * console.assert((await Array.fromAsync(queue))[0] === "just changed");
 * ```
 */
export class PriorityOrdering<T = string> implements QueueOrdering<T> {
  /**
   * Items that arrived in the order in which they leave, such as an initial list. Takes half the
   * time of the heap. An item whose priority rises moves to the heap and leaves a gap here.
   *
   * ```
   *   push ──▶ not above the run's last item? ──▶ run  [ c d . f ] ──┐
   *                              otherwise    ──▶ heap ──────────────┴─▶ pop: the first of the two
   * ```
   */
  readonly #run = new Deque<WaitingItem<T>>();
  /** Length of the run without its gaps. */
  #runLength = 0;
  /** Priority of the run's last item. */
  #runPriority = Infinity;
  readonly #heap = new RankedHeap<WaitingItem<T>>();

  get length(): number {
    return this.#runLength + this.#heap.length;
  }

  push(waiting: WaitingItem<T>): void {
    if (this.#runLength > 0 && waiting.priority > this.#runPriority) {
      this.#pushToHeap(waiting);
      return;
    }
    waiting.place = inRun;
    this.#run.push(waiting);
    this.#runLength += 1;
    this.#runPriority = waiting.priority;
  }

  /** Does nothing: an add with the same priority does not change the order. */
  touch(_waiting: WaitingItem<T>): void {}

  raise(waiting: WaitingItem<T>): void {
    if (waiting.place !== inRun) {
      this.#heap.lower(waiting, rankOf(waiting));
      return;
    }
    this.#pushToHeap(waiting);
    this.#takeFromRun();
    // Rare enough that it costs no more than the pushes before it.
    if (this.#run.length > 2 * this.#runLength + manyGaps) this.#closeGaps();
  }

  pop(): WaitingItem<T> | undefined {
    const first = this.#firstOfRun();
    const other = this.#heap.peek();
    if (first === undefined || (other !== undefined && isBefore(other, first))) {
      return this.#heap.pop();
    }
    this.#run.shift();
    this.#takeFromRun();
    return first;
  }

  #pushToHeap(waiting: WaitingItem<T>): void {
    this.#heap.push(waiting, rankOf(waiting), waiting.sequence);
  }

  #takeFromRun(): void {
    this.#runLength -= 1;
    if (this.#runLength === 0 && this.#run.length > 0) this.#run.clear();
  }

  /** Skips the gaps before the first item. */
  #firstOfRun(): WaitingItem<T> | undefined {
    for (let first = this.#run.peek(); first !== undefined; first = this.#run.peek()) {
      if (first.place === inRun) return first;
      this.#run.shift();
    }
    return undefined;
  }

  #closeGaps(): void {
    for (let left = this.#run.length; left > 0; left -= 1) {
      const waiting = this.#run.shift();
      if (waiting?.place === inRun) this.#run.push(waiting);
    }
  }
}

/** The highest priority has the lowest rank. */
function rankOf({ priority }: WaitingItem<unknown>): number {
  // Not -0, which would turn the heap's small integers into floating-point numbers.
  return 0 - priority;
}

function isBefore(a: WaitingItem<unknown>, b: WaitingItem<unknown>): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.sequence < b.sequence);
}
