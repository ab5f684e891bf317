/** Slots of a new ring, and of one that has run empty after it was large. */
const minCapacity = 16;
/** A ring that has run empty keeps its slots up to this size: 4,096 × 8 bytes. */
const keptCapacity = 4096;

/**
 * First in, first out, in a circular array. Every operation is O(1) amortised at any depth, where `array.shift` is
 * O(n) from about 50,000 elements on.
 *
 * ```
 *   slots   [ f  g  .  .  .  c  d  e ]      length of slots: a power of two, so that `& mask` wraps around
 *                   ^ tail   ^ head         head = next to leave, tail = head + length = next free slot
 * ```
 *
 * A slot is cleared when its element leaves, so that the element can be collected (RF-15).
 */
export class Ring<T> {
  #slots: (T | undefined)[] = emptySlots(minCapacity);
  #mask = minCapacity - 1;
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(element: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#slots[(this.#head + this.#length) & this.#mask] = element;
    this.#length += 1;
  }

  /** Takes the oldest element; `undefined` when the ring is empty. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const element = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length -= 1;
    if (this.#length === 0 && this.#mask >= keptCapacity) this.clear();
    return element;
  }

  /** The element that is `index` places behind the oldest; `undefined` beyond the newest. */
  at(index: number): T | undefined {
    return index < this.#length ? this.#slots[(this.#head + index) & this.#mask] : undefined;
  }

  clear(): void {
    this.#slots = emptySlots(minCapacity);
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
    const slots = emptySlots<T>(this.#slots.length * 2);
    for (let index = 0; index < this.#length; index += 1) {
      slots[index] = this.#slots[(this.#head + index) & this.#mask];
    }
    this.#slots = slots;
    this.#mask = slots.length - 1;
    this.#head = 0;
  }
}

function emptySlots<T>(count: number): (T | undefined)[] {
  return new Array<T | undefined>(count).fill(undefined);
}
