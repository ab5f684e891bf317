import type { StoredObject } from "./stored-object.ts";

// Fewer inserts are cheaper by moving the array's tail than by merging (at 50,000 entries).
const mergeThreshold = 16;

/**
 * Current objects of one resource in key order.
 *
 * Inserts are merged at the next read, so that loading n objects costs one sort instead of n moves.
 */
export class SortedObjects {
  #items: StoredObject[];
  #inserts: StoredObject[] = [];

  constructor(items: readonly StoredObject[] = []) {
    this.#items = [...items];
  }

  insert(stored: StoredObject): void {
    const last = this.#items.at(-1);
    if (this.#inserts.length === 0 && (last === undefined || last.key < stored.key)) {
      this.#items.push(stored);
    } else {
      this.#inserts.push(stored);
    }
  }

  /** Replaces the object with the same key. */
  replace(stored: StoredObject): void {
    const items = this.items();
    items[lowerBound(items, stored.key)] = stored;
  }

  remove(key: string): void {
    const items = this.items();
    items.splice(lowerBound(items, key), 1);
  }

  /** Returns all objects in key order. Valid until the next change. */
  items(): StoredObject[] {
    if (this.#inserts.length > 0) this.#merge();
    return this.#items;
  }

  #merge(): void {
    const inserts = this.#inserts;
    this.#inserts = [];
    if (inserts.length < mergeThreshold) {
      for (const stored of inserts)
        this.#items.splice(lowerBound(this.#items, stored.key), 0, stored);
      return;
    }
    this.#items = mergeSorted(this.#items, inserts.toSorted(byKey));
  }
}

/** Returns the index of the first object whose key is not below `key`. */
export function lowerBound(objects: readonly StoredObject[], key: string): number {
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const stored = objects[middle];
    if (stored !== undefined && stored.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the index after the last key that begins with `root`, which is empty or ends with a
 * slash.
 */
export function endOfRoot(objects: readonly StoredObject[], root: string): number {
  // A namespace's keys end before the character after "/", which is "0".
  return root === "" ? objects.length : lowerBound(objects, `${root.slice(0, -1)}0`);
}

/** Order of storage keys. Names are ASCII, so string order is byte order. */
export function byKey(left: StoredObject, right: StoredObject): number {
  return left.key < right.key ? -1 : 1;
}

function mergeSorted(
  left: readonly StoredObject[],
  right: readonly StoredObject[],
): StoredObject[] {
  const merged: StoredObject[] = [];
  let taken = 0;
  for (const stored of right) {
    for (let next = left[taken]; next !== undefined && next.key < stored.key; next = left[taken]) {
      merged.push(next);
      taken++;
    }
    merged.push(stored);
  }
  for (let next = left[taken]; next !== undefined; next = left[taken]) {
    merged.push(next);
    taken++;
  }
  return merged;
}
