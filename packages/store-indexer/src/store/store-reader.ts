import type { Cached } from "@listwatch/core-fifo";
import { type Bucket, unwrap } from "./entry.ts";
import type { IndexFunctionError } from "./errors.ts";
import type { Indexers, IndexValue, IndexValues } from "./index-function.ts";
import type { StoreContent } from "./store-content.ts";

/**
 * What must be equal for {@link StoreReader.byIndexes}: some of the store's indexes with a value
 * each.
 */
export type IndexQuery<I extends IndexValues> = { readonly [N in keyof I]?: I[N] };

/**
 * The reads of a store by key and by index, and nothing else: it can be handed out where nothing
 * must be written. It shows the present content at every call.
 *
 * Every call is synchronous. No order is promised of anything it lists, and each list is a new
 * array.
 */
export class StoreReader<T, I extends IndexValues> {
  readonly #content: StoreContent<T>;

  /** @param source a content, or another reader of it */
  constructor(source: StoreContent<T> | StoreReader<T, I>) {
    this.#content = source instanceof StoreReader ? source.#content : source;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#content.entries.size;
  }

  /** The resourceVersion of the last write, whatever came before; `""` at first. */
  get lastStoreSyncResourceVersion(): string {
    return this.#content.resourceVersion;
  }

  getByKey(key: string): Cached<T> | undefined {
    return this.#content.entries.get(key)?.object;
  }

  has(key: string): boolean {
    return this.#content.entries.has(key);
  }

  list(): Cached<T>[] {
    return unwrap(Array.from(this.#content.entries.values()));
  }

  listKeys(): string[] {
    return [...this.#content.entries.keys()];
  }

  /**
   * The objects that have a value of an index. O(objects in the result).
   *
   * @throws {NoSuchIndexError}
   */
  byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[] {
    return this.#content.indexes.get(name).buckets.get(value)?.objects() ?? [];
  }

  /**
   * The objects that have the given value in every index named; all objects if none is named.
   * O(objects that have the rarest of the values).
   *
   * @throws {NoSuchIndexError}
   * @throws {TypeError} if an index is named with `undefined`
   */
  byIndexes(query: IndexQuery<I>): Cached<T>[] {
    const buckets: (Bucket<T> | undefined)[] = [];
    for (const [name, value] of Object.entries<IndexValue | undefined>(query)) {
      const table = this.#content.indexes.get(name);
      // A value that is missing by mistake must not widen the answer to everything.
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
   * The objects that share a value of an index with `object`, which need not be stored; each once .
   * What the index function throws passes through.
   *
   * @throws {NoSuchIndexError}
   */
  index(name: keyof I & string, object: T | Cached<T>): Cached<T>[] {
    const table = this.#content.indexes.get(name);
    const values = this.#content.query(name, object);
    if (values.length === 1 && values[0] !== undefined) {
      return table.buckets.get(values[0])?.objects() ?? [];
    }
    const entries = new Set(values.flatMap((value) => table.buckets.get(value)?.entries ?? []));
    return unwrap(Array.from(entries));
  }

  /**
   * The keys that have a value of an index, ascending by code unit.
   *
   * @throws {NoSuchIndexError}
   */
  indexKeys<N extends keyof I & string>(name: N, value: I[N]): string[] {
    const entries = this.#content.indexes.get(name).buckets.get(value)?.entries ?? [];
    return entries.map((entry) => entry.key).toSorted();
  }

  /** The values of an index that at least one object has; none for an unknown index. */
  listIndexFuncValues<N extends keyof I & string>(name: N): I[N][] {
    const values = [...(this.#content.indexes.find(name)?.buckets.keys() ?? [])];
    // The index function of this name gave them; an IndexSet does not know the types by name.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return values as I[N][];
  }

  /**
   * The objects of a namespace by the conventional index `namespace`; `undefined` without that
   * index.
   */
  listNamespace(namespace: string): Cached<T>[] | undefined {
    const table = this.#content.indexes.find("namespace");
    return table && (table.buckets.get(namespace)?.objects() ?? []);
  }

  /**
   * Why objects that are stored are absent from an index: the first error of each object and index,
   * until the index function works for the object again. Errors are kept of 1000 objects at most;
   * see {@link StoreReader.unindexedCount}. Always empty in a store without `onIndexError`, where
   * such an object is not stored.
   */
  listIndexErrors(): IndexFunctionError[] {
    return this.#content.failures.list();
  }

  /** How many objects are absent from an index because its function failed for them. */
  get unindexedCount(): number {
    return this.#content.failures.size;
  }

  /** The index functions by name, as a copy. */
  getIndexers(): Indexers<T, I> {
    const { indexes } = this.#content;
    const indexers = Object.fromEntries(indexes.listFunctions());
    // An IndexSet does not know the types by name.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return indexers as Indexers<T, I>;
  }
}
