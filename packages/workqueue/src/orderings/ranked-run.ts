import type { RankedNode } from "./ranked-heap.ts";

/** So few gaps are not worth the work of closing them. */
const fewGaps = 32;

/**
 * Nodes that came in the order in which they leave. Everything is O(1), and what leaves next lies
 * beside what left last.
 *
 * ```
 *   nodes  [ . . c d . f g ]      c leaves next, e was taken out; what is pushed goes behind g and must not be before it
 *                ^ head
 * ```
 */
export class RankedRun<N extends RankedNode> {
  #nodes: (N | undefined)[] = [];
  #ranks: number[] = [];
  #sequences: number[] = [];
  #length = 0;
  /** Where the first node is. */
  #head = 0;
  /**
   * The number of the first place. Nodes know the numbers of their places, which stay when places
   * before them are dropped.
   */
  #base = 0;

  get length(): number {
    return this.#length;
  }

  get first(): N | undefined {
    return this.#nodes[this.#head];
  }

  get leastRank(): number {
    return this.#ranks[this.#head] ?? Infinity;
  }

  get leastSequence(): number {
    return this.#sequences[this.#head] ?? Infinity;
  }

  /** Whether a node may be pushed. */
  accepts(rank: number): boolean {
    const last = this.#ranks[this.#ranks.length - 1];
    return last === undefined || last <= rank;
  }

  rankOf(node: N): number {
    return this.#ranks[this.#placeOf(node)] ?? Infinity;
  }

  sequenceOf(node: N): number {
    return this.#sequences[this.#placeOf(node)] ?? Infinity;
  }

  push(node: N, rank: number, sequence: number): void {
    // Below 0, so that it is seen from a node where it is.
    node.index = -1 - (this.#base + this.#nodes.length);
    this.#nodes.push(node);
    this.#ranks.push(rank);
    this.#sequences.push(sequence);
    this.#length += 1;
  }

  remove(node: N): void {
    this.#nodes[this.#placeOf(node)] = undefined;
    this.#length -= 1;
    if (this.#length === 0) {
      this.clear();
      return;
    }
    while (this.#nodes[this.#head] === undefined) this.#head += 1;
    // The last rank decides what is accepted, so it must be that of a node.
    let end = this.#nodes.length;
    while (this.#nodes[end - 1] === undefined) end -= 1;
    this.#truncate(end);
    // Done so rarely that it costs no more than the removals before it.
    if (this.#head > fewGaps && this.#head > end / 2) this.#dropHead();
    else if (end - this.#head - this.#length > Math.max(fewGaps, this.#length)) this.#closeGaps();
  }

  clear(): void {
    this.#truncate(0);
    this.#length = 0;
    this.#head = 0;
    this.#base = 0;
  }

  #placeOf({ index }: N): number {
    return -1 - index - this.#base;
  }

  #truncate(end: number): void {
    if (end === this.#nodes.length) return;
    this.#nodes.length = end;
    this.#ranks.length = end;
    this.#sequences.length = end;
  }

  #dropHead(): void {
    this.#nodes = this.#nodes.slice(this.#head);
    this.#ranks = this.#ranks.slice(this.#head);
    this.#sequences = this.#sequences.slice(this.#head);
    this.#base += this.#head;
    this.#head = 0;
  }

  #closeGaps(): void {
    let kept = 0;
    for (const [place, node] of this.#nodes.entries()) {
      if (node === undefined) continue;
      node.index = -1 - kept;
      this.#nodes[kept] = node;
      this.#ranks[kept] = this.#ranks[place] ?? Infinity;
      this.#sequences[kept] = this.#sequences[place] ?? Infinity;
      kept += 1;
    }
    this.#truncate(kept);
    this.#base = 0;
    this.#head = 0;
  }
}
