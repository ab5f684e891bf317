import type { StoredObject } from "./stored-object.ts";

// Below this many waiting inserts, moving the array's tail is cheaper than sorting and merging
// (measured at 50,000 entries).
const mergeThreshold = 16;

/**
 * The current objects of one resource in key order.
 *
 * Inserts wait in a second array and are merged at the next read, so that loading n objects costs
 * one sort and not n moves.
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

  /** Puts a newer state in the place of the one with the same key. */
  replace(stored: StoredObject): void {
    const items = this.items();
    items[lowerBound(items, stored.key)] = stored;
  }

  remove(key: string): void {
    const items = this.items();
    items.splice(lowerBound(items, key), 1);
  }

  /** All objects in key order; valid until the next change. */
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

/** Index of the first object whose key is not below `key`. */
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

/** Index after the last object whose key begins with `root`, which is empty or ends with a slash. */
export function endOfRoot(objects: readonly StoredObject[], root: string): number {
  // The key space of a namespace ends before the character after "/", which is "0".
  return root === "" ? objects.length : lowerBound(objects, `${root.slice(0, -1)}0`);
}

/** Order of storage keys. Names are ASCII, where the order of JavaScript strings is the byte order. */
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
