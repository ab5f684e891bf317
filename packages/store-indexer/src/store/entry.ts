import type { Cached } from "@listwatch/core-fifo";
import type { IndexFunction, IndexValue } from "./index-function.ts";

/**
 * One membership of an entry in a bucket. The memberships of an entry are a chain that starts in
 * the entry itself, so that a store with one single-valued index, the usual case, needs no object
 * besides the entry:
 *
 * ```
 * entries: Map ── "a/web" ──▶ Entry { key, object, bucket, position: 1, next ──▶ Link { … } }
 *                                                   │       └──────────────┐
 * namespace: Map ── "a" ──▶ Bucket { entries: [ Entry, Entry, … ] } ◀──────┘ at its position
 * ```
 *
 * A position for every membership makes leaving a bucket O(1): the last entry takes the place that
 * gets free.
 */
export class Link<T> {
  /** `undefined` only in an entry that is in no bucket. */
  bucket: Bucket<T> | undefined = undefined;
  position = 0;
  next: Link<T> | undefined = undefined;
}

/** What a store holds under one key. */
export class Entry<T> extends Link<T> {
  readonly key: string;
  object: Cached<T>;

  constructor(key: string, object: Cached<T>) {
    super();
    this.key = key;
    this.object = object;
  }

  /** The membership in `bucket`, if there is one. O(memberships of the entry). */
  linkIn(bucket: Bucket<T>): Link<T> | undefined {
    if (this.bucket === bucket) return this;
    let link = this.next;
    while (link !== undefined && link.bucket !== bucket) link = link.next;
    return link;
  }

  /** The first link of the chain, `undefined` if the entry is in no bucket. */
  firstLink(): Link<T> | undefined {
    return this.bucket === undefined ? undefined : this;
  }
}

/** The entries that have one value of one index, in no particular order. Each is in it once. */
export class Bucket<T> {
  readonly table: IndexTable<T>;
  readonly value: IndexValue;
  readonly entries: Entry<T>[] = [];

  constructor(table: IndexTable<T>, value: IndexValue) {
    this.table = table;
    this.value = value;
  }

  /** Takes out the entry at `position`; a bucket that gets empty vanishes from its index. */
  removeAt(position: number): void {
    const last = this.entries.pop();
    if (last === undefined) return;
    if (position < this.entries.length) {
      this.entries[position] = last;
      const link = last.linkIn(this);
      if (link !== undefined) link.position = position;
    } else if (position === 0) {
      this.table.buckets.delete(this.value);
    }
  }

  objects(): Cached<T>[] {
    return unwrap(this.entries.slice());
  }
}

/** One index: its function and its buckets by value. No bucket is empty. */
export class IndexTable<T> {
  readonly name: string;
  readonly indexFunction: IndexFunction<T>;
  readonly buckets: Map<IndexValue, Bucket<T>> = new Map();

  constructor(name: string, indexFunction: IndexFunction<T>) {
    this.name = name;
    this.indexFunction = indexFunction;
  }

  /** The bucket of a value, made if it is missing; the caller puts an entry in. */
  bucketFor(value: IndexValue): Bucket<T> {
    let bucket = this.buckets.get(value);
    if (bucket === undefined) {
      bucket = new Bucket(this, value);
      this.buckets.set(value, bucket);
    }
    return bucket;
  }
}

/**
 * The objects of entries; takes over the array. Filling it in place is twice as fast as any way to
 * a second array, because a list of a large store is bound by memory (Node 24, 50,000 entries: 10
 * ns an entry instead of 24).
 */
export function unwrap<T>(entries: Entry<T>[]): Cached<T>[] {
  const slots: unknown[] = entries;
  for (let index = 0; index < entries.length; index += 1) slots[index] = entries[index]?.object;
  // Every slot has been filled with an object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return slots as Cached<T>[];
}
