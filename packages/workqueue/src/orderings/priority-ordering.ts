import { BinaryHeap, Deque } from "@listwatch/core-fifo/base";
import type { QueueOrdering, WaitingItem } from "./ordering.ts";

/**
 * Priority of items that are not urgent, as those of an initial list (controller-runtime
 * `handler.LowPriority`).
 */
export const lowPriority = -100;

/** The `place` of an item in the run; one in the heap has its index there. */
const inRun = -1;
/** Gaps that are not worth the work of closing them. */
const manyGaps = 32;

/**
 * The highest priority first, first come first out within one (controller-runtime
 * pkg/controller/priorityqueue).
 *
 * An add raises the priority of an item that waits and never lowers it; the item then leaves as if
 * it had been added with the higher one from the beginning. O(log n) per operation. Not guaranteed:
 * that low priorities get a turn at all.
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
   * Items that came in the order in which they leave, as an initial list does: half the time of the
   * heap. An item that was raised out of it leaves a gap, which is skipped.
   *
   * ```
   *   push ──▶ not above the last of the run? ──▶ run  [ c d . f ] ──┐
   *                              otherwise    ──▶ heap ──────────────┴─▶ pop: the first of the two
   * ```
   */
  readonly #run = new Deque<WaitingItem<T>>();
  /** Without gaps. */
  #runLength = 0;
  /** Of the item that was pushed to the run last. */
  #runPriority = Infinity;
  readonly #heap = new BinaryHeap<WaitingItem<T>>({
    isBefore,
    onMove: (waiting, index) => (waiting.place = index),
  });

  get length(): number {
    return this.#runLength + this.#heap.length;
  }

  push(waiting: WaitingItem<T>): void {
    if (this.#runLength > 0 && waiting.priority > this.#runPriority) {
      this.#heap.push(waiting);
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
      this.#heap.update(waiting.place, waiting);
      return;
    }
    this.#heap.push(waiting);
    this.#takeFromRun();
    // So rarely that it costs no more than the pushes before it.
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

function isBefore(a: WaitingItem<unknown>, b: WaitingItem<unknown>): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.sequence < b.sequence);
}
