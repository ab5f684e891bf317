import type { Cached } from "@listwatch/core-fifo";
import type { IndexFunction, IndexValue } from "./index-function.ts";

/**
 * One membership of an entry in a bucket. The memberships of an entry form a chain that starts in
 * the entry itself. A store with one single-valued index, the usual case, needs no other object:
 *
 * ```
 * entries: Map ── "a/web" ──▶ Entry { key, object, bucket, position: 1, next ──▶ Link { … } }
 *                                                   │       └──────────────┐
 * namespace: Map ── "a" ──▶ Bucket { entries: [ Entry, Entry, … ] } ◀──────┘ at its position
 * ```
 *
 * Each membership stores its position, so that leaving a bucket is O(1): the last entry moves to
 * the free place.
 */
export class Link<T> {
  /** `undefined` only in an entry that is in no bucket. */
  bucket: Bucket<T> | undefined = undefined;
  position = 0;
  next: Link<T> | undefined = undefined;
}

/**
 * A membership in a long chain. It and all later links share a map, so that finding one takes the
 * same time for any number of them. Short chains are searched, which costs less than a map.
 */
class MappedLink<T> extends Link<T> {
  readonly byBucket: Map<Bucket<T>, Link<T>>;

  constructor(byBucket: Map<Bucket<T>, Link<T>>) {
    super();
    this.byBucket = byBucket;
  }
}

/** A key with its object. */
export class Entry<T> extends Link<T> {
  readonly key: string;
  object: Cached<T>;

  constructor(key: string, object: Cached<T>) {
    super();
    this.key = key;
    this.object = object;
  }

  /** Returns the membership in `bucket`, if any. O(indexes), for any number of memberships. */
  linkIn(bucket: Bucket<T>): Link<T> | undefined {
    if (this.bucket === bucket) return this;
    let link = this.next;
    while (link !== undefined && link.bucket !== bucket) {
      if (link instanceof MappedLink) return link.byBucket.get(bucket);
      link = link.next;
    }
    return link;
  }

  /** Returns the first link of the chain; `undefined` if the entry is in no bucket. */
  firstLink(): Link<T> | undefined {
    return this.bucket === undefined ? undefined : this;
  }
}

/**
 * Appends a membership to a chain. Returns its new end.
 *
 * @param isLong whether the chain gets a map, which all later links join
 */
export function append<T>(
  entry: Entry<T>,
  tail: Link<T> | undefined,
  bucket: Bucket<T>,
  position: number,
  isLong: boolean,
): Link<T> {
  let link: Link<T> = entry;
  if (tail !== undefined) {
    link = isLong || tail instanceof MappedLink ? createMapped(tail, bucket) : new Link();
    tail.next = link;
  }
  link.bucket = bucket;
  link.position = position;
  return link;
}

function createMapped<T>(tail: Link<T>, bucket: Bucket<T>): Link<T> {
  const link = new MappedLink<T>(tail instanceof MappedLink ? tail.byBucket : new Map());
  link.byBucket.set(bucket, link);
  return link;
}

/** Entries with one value of one index, each once, in no particular order. */
export class Bucket<T> {
  readonly table: IndexTable<T>;
  readonly value: IndexValue;
  readonly entries: Entry<T>[] = [];

  constructor(table: IndexTable<T>, value: IndexValue) {
    this.table = table;
    this.value = value;
  }

  /** Removes the entry at `position`. An empty bucket is removed from its index. */
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

  /** Returns the bucket of a value, created if it is missing. The caller must add an entry. */
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
 * Returns the objects of entries, in the same array. Filling it in place is twice as fast as a
 * second array, because a list of a large store is bound by memory (Node 24, 50,000 entries: 10 ns
 * an entry instead of 24).
 */
export function unwrap<T>(entries: Entry<T>[]): Cached<T>[] {
  const slots: unknown[] = entries;
  for (let index = 0; index < entries.length; index += 1) slots[index] = entries[index]?.object;
  // Every slot now contains an object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return slots as Cached<T>[];
}
