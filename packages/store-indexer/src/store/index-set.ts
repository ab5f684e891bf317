import { ListwatchError, type Cached } from "@listwatch/core-fifo";
import { IndexFunctionError } from "./errors.ts";
import {
  checkIndexResult,
  type IndexFunction,
  type IndexResult,
  type IndexValue,
} from "./index-function.ts";
import { append, type Bucket, Entry, IndexTable, type Link } from "./entry.ts";

/**
 * Results of a store's index functions for one object or several, in the order of objects and
 * indexes. One array for all: an array per object would cost a tenth of a write.
 */
export type IndexResults = readonly IndexResult[];

/** Number of memberships up to which they are searched one by one. */
const maxSearched = 16;

/**
 * Called with the error of each index function that fails; the object then has no value in that
 * index. Without it the error is thrown.
 */
export type NoteFailure = ((error: IndexFunctionError) => void) | undefined;

/**
 * All indexes of one store. A write has two steps, so that a failed one changes nothing:
 * {@link IndexSet.evaluate} calls the index functions, then {@link IndexSet.put} links the entry.
 *
 * The links of an entry follow the order of the tables, and within a table the order of the values.
 */
export class IndexSet<T> {
  readonly #tables: IndexTable<T>[] = [];
  readonly #byName = new Map<string, IndexTable<T>>();

  /** Number of indexes. */
  get size(): number {
    return this.#tables.length;
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  find(name: string): IndexTable<T> | undefined {
    return this.#byName.get(name);
  }

  /** Iterates over the index functions by name. */
  *listFunctions(): Generator<[string, IndexFunction<T>], undefined> {
    for (const { name, indexFunction } of this.#tables) yield [name, indexFunction];
    return undefined;
  }

  /** @throws {ListwatchError} with the code `LW_NO_SUCH_INDEX` if there is none */
  get(name: string): IndexTable<T> {
    const table = this.#byName.get(name);
    if (table !== undefined) return table;
    const known = JSON.stringify([...this.#byName.keys()]);
    throw new ListwatchError(
      "LW_NO_SUCH_INDEX",
      `Cannot read the index ${JSON.stringify(name)}: expected one of ${known}`,
    );
  }

  /**
   * Adds tables and links existing entries. All functions run before anything changes.
   *
   * @throws {IndexFunctionError} if errors are not noted
   */
  add(
    indexers: Iterable<[string, IndexFunction<T>]>,
    entries: ReadonlyMap<string, Entry<T>>,
    note: NoteFailure,
  ): void {
    const added = Array.from(
      indexers,
      ([name, indexFunction]) => new IndexTable<T>(name, indexFunction),
    );
    const results = added.map((table) =>
      Array.from(entries.values(), (entry) => evaluateOne(table, entry.key, entry.object, note)),
    );
    for (const [index, table] of added.entries()) {
      this.#append(table);
      let next = 0;
      for (const entry of entries.values()) {
        linkValues(entry, lastLink(entry), table, results[index]?.[next]);
        next += 1;
      }
    }
  }

  /** Returns the same indexes without entries. */
  emptyCopy(): IndexSet<T> {
    const copy = new IndexSet<T>();
    for (const { name, indexFunction } of this.#tables) {
      copy.#append(new IndexTable<T>(name, indexFunction));
    }
    return copy;
  }

  /** Returns names and functions of the indexes that `other` does not have. */
  missingIn(other: IndexSet<T>): [string, IndexFunction<T>][] {
    return this.#tables
      .filter(({ name }) => !other.has(name))
      .map(({ name, indexFunction }) => [name, indexFunction]);
  }

  /**
   * Calls all index functions and stores their results in `results`, from `at`.
   *
   * @throws {IndexFunctionError} if errors are not noted
   */
  evaluate(
    key: string,
    object: Cached<T>,
    note: NoteFailure,
    results: IndexResult[],
    at: number,
  ): void {
    const tables = this.#tables;
    for (let index = 0; index < tables.length; index += 1) {
      const table = tables[index];
      if (table !== undefined) results[at + index] = evaluateOne(table, key, object, note);
    }
  }

  /**
   * Stores an object in `entries` and links it by the results of {@link IndexSet.evaluate}, from
   * `at`. Returns the previous object under its key.
   */
  put(
    entries: Map<string, Entry<T>>,
    key: string,
    object: Cached<T>,
    results: IndexResults,
    at: number,
  ): Cached<T> | undefined {
    const entry = entries.get(key);
    if (entry === undefined) {
      const created = new Entry(key, object);
      this.#insert(created, results, at);
      entries.set(key, created);
      return undefined;
    }
    const previous = entry.object;
    entry.object = object;
    this.#move(entry, results, at);
    return previous;
  }

  /** Links a new entry. */
  #insert(entry: Entry<T>, results: IndexResults, at: number): void {
    const tables = this.#tables;
    let tail: Link<T> | undefined = undefined;
    for (let index = 0; index < tables.length; index += 1) {
      const table = tables[index];
      if (table !== undefined) tail = linkValues(entry, tail, table, results[at + index]);
    }
  }

  /** Links an entry again. If no value has changed, this only costs the comparison. */
  #move(entry: Entry<T>, results: IndexResults, at: number): void {
    if (this.#isUnchanged(entry, results, at)) return;
    const wanted = this.#bucketsFor(results, at);
    const { buckets } = wanted;
    const positions = buckets.map((bucket) => entry.linkIn(bucket)?.position);
    for (let link = entry.firstLink(); link !== undefined; link = link.next) {
      const { bucket } = link;
      if (bucket !== undefined && !wanted.has(bucket)) bucket.removeAt(link.position);
    }
    entry.bucket = undefined;
    entry.next = undefined;
    const isLong = buckets.length > maxSearched;
    let tail: Link<T> | undefined = undefined;
    for (const [index, bucket] of buckets.entries()) {
      const position = positions[index] ?? bucket.entries.push(entry) - 1;
      tail = append(entry, tail, bucket, position, isLong);
    }
  }

  /** Removes an entry from all buckets. */
  remove(entry: Entry<T>): void {
    for (let link = entry.firstLink(); link !== undefined; link = link.next) {
      link.bucket?.removeAt(link.position);
    }
  }

  #append(table: IndexTable<T>): void {
    this.#tables.push(table);
    this.#byName.set(table.name, table);
  }

  #isUnchanged(entry: Entry<T>, results: IndexResults, at: number): boolean {
    const tables = this.#tables;
    let link = entry.firstLink();
    for (let index = 0; index < tables.length; index += 1) {
      const table = tables[index];
      const result = results[at + index];
      if (typeof result !== "object") {
        if (result === undefined) continue;
        if (link?.bucket?.value !== result || link.bucket.table !== table) return false;
        link = link.next;
      } else if (result !== null) {
        for (const value of result) {
          if (value === undefined || value === null) continue;
          if (link?.bucket?.value !== value || link.bucket.table !== table) return false;
          link = link.next;
        }
      }
    }
    return link === undefined;
  }

  #bucketsFor(results: IndexResults, at: number): BucketList<T> {
    const wanted = new BucketList<T>();
    for (const [index, table] of this.#tables.entries()) {
      for (const value of asList(results[at + index])) {
        if (value === undefined || value === null) continue;
        wanted.add(table.bucketFor(value));
      }
    }
    return wanted;
  }
}

/** Distinct buckets in order. A few are searched, which costs less than a set. */
class BucketList<T> {
  readonly buckets: Bucket<T>[] = [];
  #set: Set<Bucket<T>> | undefined;

  has(bucket: Bucket<T>): boolean {
    return this.#set?.has(bucket) ?? this.buckets.includes(bucket);
  }

  add(bucket: Bucket<T>): void {
    if (this.has(bucket)) return;
    this.buckets.push(bucket);
    if (this.#set !== undefined) this.#set.add(bucket);
    else if (this.buckets.length > maxSearched) this.#set = new Set(this.buckets);
  }
}

function evaluateOne<T>(
  table: IndexTable<T>,
  key: string,
  object: Cached<T>,
  note: NoteFailure,
): IndexResult {
  try {
    const result = table.indexFunction(object);
    // Almost every result is a string.
    if (typeof result === "string") return result;
    checkIndexResult(result);
    // Copied, because the result is used after all functions have run, and they may share one
    // array.
    return typeof result === "object" && result !== null ? [...result] : result;
  } catch (cause) {
    const error = new IndexFunctionError(table.name, key, cause);
    if (note === undefined) throw error;
    note(error);
    return undefined;
  }
}

function asList(result: IndexResult): readonly (IndexValue | null | undefined)[] {
  return typeof result === "object" && result !== null ? result : [result];
}

/** Adds an entry to the buckets of new values. Returns the last link of its chain. */
function linkValues<T>(
  entry: Entry<T>,
  tail: Link<T> | undefined,
  table: IndexTable<T>,
  result: IndexResult,
): Link<T> | undefined {
  if (result === undefined || result === null) return tail;
  if (typeof result !== "object") {
    const bucket = table.bucketFor(result);
    return append(entry, tail, bucket, bucket.entries.push(entry) - 1, false);
  }
  const isLong = result.length > maxSearched;
  let last = tail;
  for (const value of result) {
    if (value === undefined || value === null) continue;
    const bucket = table.bucketFor(value);
    // It is the newest entry of the bucket if the value is repeated.
    if (bucket.entries.at(-1) === entry) continue;
    last = append(entry, last, bucket, bucket.entries.push(entry) - 1, isLong);
  }
  return last;
}

function lastLink<T>(entry: Entry<T>): Link<T> | undefined {
  let link = entry.firstLink();
  while (link?.next !== undefined) link = link.next;
  return link;
}
