/** Options of {@link BinaryHeap}. */
export interface BinaryHeapOptions<T> {
  /**
   * Whether `a` leaves the heap before `b`. A strict order that does not change while both are in
   * the heap.
   */
  readonly isBefore: (a: T, b: T) => boolean;
  /**
   * Called with each element that moves, so that the caller can pass its index to
   * {@link BinaryHeap.removeAt} and {@link BinaryHeap.update}. Must not call the heap.
   */
  readonly onMove?: ((element: T, index: number) => void) | undefined;
}

/**
 * A priority queue in an array: the smallest element leaves first.
 *
 * ```
 *   elements  [ a | b c | d e f g | h ... ]     the children of i are at 2i + 1 and 2i + 2,
 *                                               and none of them is before its parent
 * ```
 *
 * Writes are O(log n), {@link BinaryHeap.peek} is O(1). Not guaranteed: an order among equal
 * elements.
 */
export class BinaryHeap<T> {
  readonly #elements: T[] = [];
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #onMove: ((element: T, index: number) => void) | undefined;

  constructor(options: BinaryHeapOptions<T>) {
    this.#isBefore = options.isBefore;
    this.#onMove = options.onMove;
  }

  get length(): number {
    return this.#elements.length;
  }

  /** Returns the element that leaves next; `undefined` if the heap is empty. */
  peek(): T | undefined {
    return this.#elements[0];
  }

  push(element: T): void {
    this.#elements.push(element);
    this.#rise(this.#elements.length - 1, element);
  }

  /** Removes and returns the element that leaves next; `undefined` if the heap is empty. */
  pop(): T | undefined {
    return this.removeAt(0);
  }

  /** Removes and returns the element at an index from `onMove`; `undefined` beyond the end. */
  removeAt(index: number): T | undefined {
    const removed = this.#elements[index];
    const last = this.#elements.pop();
    if (last === undefined || index >= this.#elements.length) return removed;
    // The last element fills the gap. It may come from another branch and precede its new parent.
    if (this.#rise(index, last) === index) this.#sink(index, last);
    return removed;
  }

  /** Replaces the element at `index`, possibly by itself with another rank. */
  update(index: number, element: T): void {
    if (this.#rise(index, element) === index) this.#sink(index, element);
  }

  clear(): void {
    this.#elements.length = 0;
  }

  /** Iterates in no particular order. */
  [Symbol.iterator](): ArrayIterator<T> {
    return this.#elements.values();
  }

  /** Places an element at `from` or above. Returns its index. */
  #rise(from: number, element: T): number {
    let index = from;
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = this.#elements[parentIndex];
      if (parent === undefined || !this.#isBefore(element, parent)) break;
      this.#place(index, parent);
      index = parentIndex;
    }
    this.#place(index, element);
    return index;
  }

  #sink(from: number, element: T): void {
    let index = from;
    for (;;) {
      const childIndex = this.#firstChild(index);
      const child = this.#elements[childIndex];
      if (child === undefined || !this.#isBefore(child, element)) break;
      this.#place(index, child);
      index = childIndex;
    }
    if (index !== from) this.#place(index, element);
  }

  /** Returns the index of the child of `index` that leaves first; beyond the end if there is none. */
  #firstChild(index: number): number {
    const leftIndex = 2 * index + 1;
    const left = this.#elements[leftIndex];
    const right = this.#elements[leftIndex + 1];
    if (left === undefined || right === undefined) return leftIndex;
    return this.#isBefore(right, left) ? leftIndex + 1 : leftIndex;
  }

  #place(index: number, element: T): void {
    this.#elements[index] = element;
    this.#onMove?.(element, index);
  }
}
