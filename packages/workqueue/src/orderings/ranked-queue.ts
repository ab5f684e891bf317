import { RankedHeap, type RankedNode } from "./ranked-heap.ts";
import { RankedRun } from "./ranked-run.ts";

/**
 * The node of the lowest rank first, first come first out within a rank. What comes in order, as an
 * initial list and retries after a constant time do, costs O(1); what does not, O(log n).
 *
 * ```
 *   push ──▶ not before the last of the run?  ──▶ run   ──┐
 *                              otherwise      ──▶ heap  ──┴─▶ pop: the lower of the two first nodes
 * ```
 */
export class RankedQueue<N extends RankedNode> {
  readonly #run = new RankedRun<N>();
  readonly #heap = new RankedHeap<N>();
  #sequence = 0;

  get length(): number {
    return this.#run.length + this.#heap.length;
  }

  /** The lowest rank; `Infinity` if there is none. */
  get leastRank(): number {
    return Math.min(this.#run.leastRank, this.#heap.leastRank);
  }

  /** The rank of a node that is in the queue. */
  rankOf(node: N): number {
    return node.index < 0 ? this.#run.rankOf(node) : this.#heap.rankOf(node);
  }

  /** Takes in a node that is in no queue. */
  push(node: N, rank: number): void {
    // Small numbers take less memory and time.
    this.#sequence = this.length === 0 ? 0 : this.#sequence + 1;
    if (this.#run.accepts(rank)) this.#run.push(node, rank, this.#sequence);
    else this.#heap.push(node, rank, this.#sequence);
  }

  /**
   * Moves a node that is in the queue to a rank that is not higher; within that, what counts is
   * when it was pushed.
   */
  lower(node: N, rank: number): void {
    if (node.index < 0) {
      const sequence = this.#run.sequenceOf(node);
      this.#run.remove(node);
      this.#heap.push(node, rank, sequence);
    } else {
      this.#heap.lower(node, rank);
    }
  }

  /** Takes the first node out; `undefined` when there is none. */
  pop(): N | undefined {
    const first = this.#isRunFirst() ? this.#run.first : this.#heap.first;
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Takes a node out that is in the queue. */
  remove(node: N): void {
    if (node.index < 0) this.#run.remove(node);
    else this.#heap.remove(node);
  }

  clear(): void {
    this.#run.clear();
    this.#heap.clear();
  }

  #isRunFirst(): boolean {
    const inRun = this.#run.leastRank;
    const inHeap = this.#heap.leastRank;
    if (inRun === inHeap) return this.#run.leastSequence < this.#heap.leastSequence;
    return inRun < inHeap;
  }
}
