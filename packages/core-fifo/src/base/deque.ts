/** Slots of a new deque, and of a large one that becomes empty. */
const minCapacity = 16;
/** An empty deque keeps its slots up to this number: 4,096 × 8 bytes. */
const keptCapacity = 4096;

/**
 * A queue with two ends in a circular array: first in, first out, and elements can be put back at
 * the front. Operations are O(1) amortised at any length; `array.shift` is O(n) from about 50,000
 * elements.
 *
 * ```
 *   slots   [ f  g  .  .  .  c  d  e ]   their number is a power of two: `& mask` wraps around
 *                   ^ tail   ^ head      head = next to leave, tail = head + length = free
 * ```
 *
 * A slot is cleared when its element leaves, so that the element can be collected. Elements must
 * not be `undefined`.
 */
export class Deque<T> {
  #slots: (T | undefined)[] = createSlots(minCapacity);
  #mask = minCapacity - 1;
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds an element after the newest. */
  push(element: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#slots[(this.#head + this.#length) & this.#mask] = element;
    this.#length += 1;
  }

  /** Adds an element before the oldest. It leaves next. */
  unshift(element: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#head = (this.#head - 1) & this.#mask;
    this.#slots[this.#head] = element;
    this.#length += 1;
  }

  /** Removes and returns the oldest element; `undefined` if the deque is empty. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const element = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length -= 1;
    if (this.#length === 0 && this.#mask >= keptCapacity) this.clear();
    return element;
  }

  /** Returns the oldest element; `undefined` if the deque is empty. */
  peek(): T | undefined {
    return this.#slots[this.#head];
  }

  /** Returns the element `index` places after the oldest; `undefined` beyond the newest. */
  at(index: number): T | undefined {
    return index < this.#length ? this.#slots[(this.#head + index) & this.#mask] : undefined;
  }

  clear(): void {
    this.#slots = createSlots(minCapacity);
    this.#mask = minCapacity - 1;
    this.#head = 0;
    this.#length = 0;
  }

  /** Iterates from the oldest to the newest. */
  *[Symbol.iterator](): Generator<T, undefined> {
    for (let index = 0; index < this.#length; index += 1) {
      const element = this.at(index);
      if (element !== undefined) yield element;
    }
    return undefined;
  }

  #grow(): void {
    const slots = createSlots<T>(this.#slots.length * 2);
    for (let index = 0; index < this.#length; index += 1) {
      slots[index] = this.#slots[(this.#head + index) & this.#mask];
    }
    this.#slots = slots;
    this.#mask = slots.length - 1;
    this.#head = 0;
  }
}

function createSlots<T>(count: number): (T | undefined)[] {
  return new Array<T | undefined>(count).fill(undefined);
}
