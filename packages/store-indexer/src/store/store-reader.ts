import type { Cached } from "@listwatch/core-fifo";
import { type Bucket, type Entry, unwrap } from "./entry.ts";
import type { IndexFunctionError } from "./errors.ts";
import type { Indexers, IndexValue, IndexValues } from "./index-function.ts";
import type { StoreContent } from "./store-content.ts";

/** Values for {@link StoreReader.byIndexes}, by index name. All must match. */
export type IndexQuery<I extends IndexValues> = { readonly [N in keyof I]?: I[N] };

/**
 * Reads of a store by key and by index, without writes, so that it can be handed out. Every call
 * reads the current content.
 *
 * Every call is synchronous. Lists have no defined order, and each list is a new array.
 */
export class StoreReader<T, I extends IndexValues> {
  readonly #content: StoreContent<T>;

  /** @param source a content, or another reader of it */
  constructor(source: StoreContent<T> | StoreReader<T, I>) {
    this.#content = source instanceof StoreReader ? source.#content : source;
  }

  /** Number of objects. */
  get size(): number {
    return this.#content.entries.size;
  }

  /** resourceVersion of the last write; `""` at first. */
  get lastStoreSyncResourceVersion(): string {
    return this.#content.resourceVersion;
  }

  /** Returns the object with this key; `undefined` if there is none. O(1). */
  getByKey(key: string): Cached<T> | undefined {
    return this.#content.entries.get(key)?.object;
  }

  /** Whether an object has this key. O(1). */
  has(key: string): boolean {
    return this.#content.entries.has(key);
  }

  /** Returns all objects, as a new array. O(objects). */
  list(): Cached<T>[] {
    return unwrap(Array.from(this.#content.entries.values()));
  }

  /** Returns all keys, as a new array. O(objects). */
  listKeys(): string[] {
    return [...this.#content.entries.keys()];
  }

  /**
   * Returns the objects with a value of an index. O(objects in the result).
   *
   * @param name name of the index, as in `indexers`
   * @param value value that the index function returns for the objects
   * @throws {ListwatchError} with the code `LW_NO_SUCH_INDEX` if there is no such index
   */
  byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[] {
    return this.#content.indexes.get(name).buckets.get(value)?.objects() ?? [];
  }

  /**
   * Returns the objects with the given value in every named index; all objects if none is named.
   * O(objects with the rarest value).
   *
   * @throws {ListwatchError} with the code `LW_NO_SUCH_INDEX` if there is no such index
   * @throws {TypeError} if an index is named with `undefined`
   */
  byIndexes(query: IndexQuery<I>): Cached<T>[] {
    const buckets: (Bucket<T> | undefined)[] = [];
    for (const [name, value] of Object.entries<IndexValue | undefined>(query)) {
      const table = this.#content.indexes.get(name);
      // A value that is missing by mistake must not select all objects.
      if (value === undefined) {
        throw new TypeError(
          `Cannot look up by indexes: expected a value of the index ${JSON.stringify(name)}, got undefined`,
        );
      }
      buckets.push(table.buckets.get(value));
    }
    if (buckets.length === 0) return this.list();
    const present = buckets.filter((bucket) => bucket !== undefined);
    if (present.length < buckets.length) return [];
    present.sort((left, right) => left.entries.length - right.entries.length);
    const [rarest, ...others] = present;
    const objects: Cached<T>[] = [];
    for (const entry of rarest?.entries ?? []) {
      if (others.every((bucket) => entry.linkIn(bucket) !== undefined)) objects.push(entry.object);
    }
    return objects;
  }

  /**
   * Returns the objects that share a value of an index with `object`, which need not be stored.
   * Each is returned once. Errors of the index function pass through.
   *
   * @param name name of the index, as in `indexers`
   * @throws {ListwatchError} with the code `LW_NO_SUCH_INDEX` if there is no such index
   */
  index(name: keyof I & string, object: T | Cached<T>): Cached<T>[] {
    const table = this.#content.indexes.get(name);
    const values = this.#content.query(name, object);
    if (values.length === 1 && values[0] !== undefined) {
      return table.buckets.get(values[0])?.objects() ?? [];
    }
    const entries = new Set<Entry<T>>();
    for (const value of new Set(values)) {
      for (const entry of table.buckets.get(value)?.entries ?? []) entries.add(entry);
    }
    return unwrap(Array.from(entries));
  }

  /**
   * Returns the keys with a value of an index, sorted by code unit.
   *
   * @param name name of the index, as in `indexers`
   * @param value value that the index function returns for the objects
   * @throws {ListwatchError} with the code `LW_NO_SUCH_INDEX` if there is no such index
   */
  indexKeys<N extends keyof I & string>(name: N, value: I[N]): string[] {
    const entries = this.#content.indexes.get(name).buckets.get(value)?.entries ?? [];
    return entries.map((entry) => entry.key).toSorted();
  }

  /**
   * Returns the values of an index that at least one object has; none for an unknown index.
   *
   * @param name name of the index, as in `indexers`
   */
  listIndexFuncValues<N extends keyof I & string>(name: N): I[N][] {
    const values = [...(this.#content.indexes.find(name)?.buckets.keys() ?? [])];
    // The index function of this name returned them; an IndexSet does not know types by name.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return values as I[N][];
  }

  /**
   * Returns the objects of a namespace by the conventional index `namespace`; `undefined` without
   * that index.
   */
  listNamespace(namespace: string): Cached<T>[] | undefined {
    const table = this.#content.indexes.find("namespace");
    return table && (table.buckets.get(namespace)?.objects() ?? []);
  }

  /**
   * Returns why stored objects are absent from an index: the first error of each object and index,
   * until the function works for the object again. Errors of at most 1000 objects are stored; see
   * {@link StoreReader.unindexedCount}. Always empty in a store without `onIndexError`, where such
   * an object is not stored.
   */
  listIndexErrors(): IndexFunctionError[] {
    return this.#content.failures.list();
  }

  /** Number of objects that are absent from an index because its function failed. */
  get unindexedCount(): number {
    return this.#content.failures.size;
  }

  /** Returns a copy of the index functions by name. */
  getIndexers(): Indexers<T, I> {
    const { indexes } = this.#content;
    const indexers = Object.fromEntries(indexes.listFunctions());
    // An IndexSet does not know types by name.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return indexers as Indexers<T, I>;
  }
}
