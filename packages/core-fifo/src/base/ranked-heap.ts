/** An element of a {@link RankedHeap}. It stores its index, so that it can be moved and removed. */
export interface RankedNode {
  /** Written by the heap that contains the node. */
  place: number;
}

/** Children per node. Four make the tree flatter, and siblings are adjacent in memory. */
const arity = 4;

/**
 * Lowest rank first, and within a rank the lowest sequence: first in, first out, unless the caller
 * gives the sequence. Writes are O(log n).
 *
 * Comparing two places follows no reference, which a function that compares two nodes does: with a
 * million unordered delays that takes half the time, with 10,000 two thirds (`npm run bench --
 * workqueue`).
 *
 * ```
 *   ranks      [ 3 | 5 3 7 4 | 9 ... ]      the children of i are at 4i + 1 to 4i + 4, and none
 *   sequences  [ 1 | 2 5 3 4 | 6 ... ]      comes before it: 24 bytes per node in all
 *   nodes      [ a | b c d e | f ... ]
 * ```
 */
export class RankedHeap<N extends RankedNode> {
  readonly #nodes: N[] = [];
  readonly #ranks: number[] = [];
  readonly #sequences: number[] = [];
  /** Sequence of the last node that was pushed without one. */
  #sequence = 0;

  get length(): number {
    return this.#nodes.length;
  }

  /** The lowest rank; `Infinity` if the heap is empty. */
  get leastRank(): number {
    return this.#rankAt(0);
  }

  /** Returns the node that leaves next; `undefined` if the heap is empty. */
  peek(): N | undefined {
    return this.#nodes[0];
  }

  rankOf(node: N): number {
    return this.#rankAt(node.place);
  }

  push(node: N, rank: number, sequence: number = this.#nextSequence()): void {
    this.#rise(this.length, node, rank, sequence);
  }

  /** Removes and returns the first node; `undefined` if the heap is empty. */
  pop(): N | undefined {
    const [first] = this.#nodes;
    if (first !== undefined) this.remove(first);
    return first;
  }

  /** Moves a node to an equal or lower rank. */
  lower(node: N, rank: number): void {
    this.#rise(node.place, node, rank, this.#sequenceAt(node.place));
  }

  /** Removes a node. The last node fills the gap. */
  remove({ place }: N): void {
    const last = this.#nodes.pop();
    const rank = this.#ranks.pop();
    const sequence = this.#sequences.pop();
    if (last === undefined || rank === undefined || sequence === undefined) return;
    if (place === this.#nodes.length) return;
    this.#rise(place, last, rank, sequence);
    this.#sink(last.place, last, rank, sequence);
  }

  clear(): void {
    this.#nodes.length = 0;
    this.#ranks.length = 0;
    this.#sequences.length = 0;
  }

  #nextSequence(): number {
    // Small integers take less memory and time.
    this.#sequence = this.length === 0 ? 0 : this.#sequence + 1;
    return this.#sequence;
  }

  #rise(from: number, node: N, rank: number, sequence: number): void {
    let place = from;
    while (place > 0) {
      const parent = Math.trunc((place - 1) / arity);
      if (!this.#isBefore(rank, sequence, parent)) break;
      this.#copy(parent, place);
      place = parent;
    }
    this.#put(place, node, rank, sequence);
  }

  #sink(from: number, node: N, rank: number, sequence: number): void {
    let place = from;
    for (;;) {
      const child = this.#firstChild(place);
      if (child === undefined || this.#isBefore(rank, sequence, child)) break;
      this.#copy(child, place);
      place = child;
    }
    if (place !== from) this.#put(place, node, rank, sequence);
  }

  /** Returns the place of the child that leaves first. */
  #firstChild(place: number): number | undefined {
    let first = place * arity + 1;
    const end = Math.min(first + arity, this.#nodes.length);
    if (first >= end) return undefined;
    for (let child = first + 1; child < end; child += 1) {
      if (this.#isBefore(this.#rankAt(child), this.#sequenceAt(child), first)) first = child;
    }
    return first;
  }

  #isBefore(rank: number, sequence: number, place: number): boolean {
    const other = this.#rankAt(place);
    return rank < other || (rank === other && sequence < this.#sequenceAt(place));
  }

  #rankAt(place: number): number {
    return this.#ranks[place] ?? Infinity;
  }

  #sequenceAt(place: number): number {
    return this.#sequences[place] ?? Infinity;
  }

  #copy(from: number, to: number): void {
    const node = this.#nodes[from];
    if (node !== undefined) this.#put(to, node, this.#rankAt(from), this.#sequenceAt(from));
  }

  #put(place: number, node: N, rank: number, sequence: number): void {
    node.place = place;
    this.#nodes[place] = node;
    this.#ranks[place] = rank;
    this.#sequences[place] = sequence;
  }
}
