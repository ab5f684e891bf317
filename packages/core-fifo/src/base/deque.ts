/** Slots of a new deque, and of one that has run empty after it was large. */
const minCapacity = 16;
/** A deque that has run empty keeps its slots up to this size: 4,096 × 8 bytes. */
const keptCapacity = 4096;

/**
 * A queue with two ends in a circular array: first in, first out, with a way to put an element back
 * at the front. Every operation is O(1) amortised at any length, where `array.shift` is O(n) from
 * about 50,000 elements on.
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

  /** Adds an element behind the newest. */
  push(element: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#slots[(this.#head + this.#length) & this.#mask] = element;
    this.#length += 1;
  }

  /** Adds an element before the oldest: it leaves next. */
  unshift(element: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#head = (this.#head - 1) & this.#mask;
    this.#slots[this.#head] = element;
    this.#length += 1;
  }

  /** Takes the oldest element; `undefined` when the deque is empty. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const element = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length -= 1;
    if (this.#length === 0 && this.#mask >= keptCapacity) this.clear();
    return element;
  }

  /** The oldest element, which stays; `undefined` when the deque is empty. */
  peek(): T | undefined {
    return this.#slots[this.#head];
  }

  /** The element that is `index` places behind the oldest; `undefined` beyond the newest. */
  at(index: number): T | undefined {
    return index < this.#length ? this.#slots[(this.#head + index) & this.#mask] : undefined;
  }

  clear(): void {
    this.#slots = createSlots(minCapacity);
    this.#mask = minCapacity - 1;
    this.#head = 0;
    this.#length = 0;
  }

  /** From the oldest to the newest. */
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
