import { asCached, asPlain } from "@listwatch/core-fifo/base";
import {
  type Clock,
  type DeletedFinalStateUnknown,
  resourceVersionOf,
  systemClock,
  type Cached,
} from "@listwatch/core-fifo";
import { deepFreeze } from "./deep-freeze.ts";
import { IndexConflictError, TransactionError } from "./errors.ts";
import {
  type IndexFunction,
  type Indexers,
  type IndexValue,
  type IndexValues,
  type NoIndexes,
  valuesOf,
} from "./index-function.ts";
import { type Bucket, type Entry, unwrap } from "./entry.ts";
import { IndexSet } from "./index-set.ts";
import { stagedReplace } from "./staged-content.ts";
import type { StagedReplace } from "./staged-replace.ts";

/** Options of {@link KeyedStore}. */
export interface KeyedStoreOptions<T, I extends IndexValues> {
  /** The indexes to begin with. @default none */
  readonly indexers?: Indexers<T, I> | undefined;
  /**
   * Whether objects are frozen deeply when they are written, so that whoever mutates a cached
   * object fails where it happens. Costs a walk over each object once, too much for production at
   * high rates; turn it on in development and in tests.
   *
   * @default false
   */
  readonly freeze?: boolean | undefined;
  /**
   * Whether {@link KeyedStore.lastStoreSyncResourceVersion} follows the writes. Turn it off when
   * writes do not come in the order of their resourceVersions; it is then always `""` (STO-16).
   *
   * @default true
   */
  readonly trackResourceVersion?: boolean | undefined;
  /**
   * Hears of transactions that take longer than half a second an item, or five seconds (STO-12):
   * index functions are the only thing in them that can be slow.
   */
  readonly onSlowTransaction?: ((transaction: SlowTransaction) => void) | undefined;
  /** Measures transactions for `onSlowTransaction`. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** A transaction that took long. */
export interface SlowTransaction {
  /** How many items it had. */
  readonly items: number;
  readonly durationMs: number;
}

/** One write of a keyed transaction. */
export type KeyedTransactionItem<T> =
  | { readonly type: "Add" | "Update"; readonly key: string; readonly object: T | Cached<T> }
  | {
      readonly type: "Delete";
      readonly key: string;
      readonly object: T | Cached<T> | DeletedFinalStateUnknown<T>;
    };

/**
 * What must be equal for {@link KeyedStore.byIndexes}: some of the store's indexes with a value
 * each.
 */
export type IndexQuery<I extends IndexValues> = { readonly [N in keyof I]?: I[N] };

/**
 * Objects under keys that the caller computes, with indexes; client-go's ThreadSafeStore. For code
 * that knows the key already, such as an informer; everybody else wants an `Indexer`.
 *
 * Every call is synchronous and atomic, and a write that throws has changed nothing. Reads and
 * writes by key are O(1) and one more step per index whose value changes; about 100 bytes per
 * object with one index, besides key and object. No order is promised of anything it lists.
 */
export class KeyedStore<T, I extends IndexValues = NoIndexes> {
  #entries = new Map<string, Entry<T>>();
  #indexes = new IndexSet<T>();
  #resourceVersion = "";
  // Only of objects whose resourceVersion is another one in the store than before their transform (SI-21).
  readonly #sourceVersions = new Map<string, string>();
  readonly #freeze: boolean;
  readonly #trackResourceVersion: boolean;
  readonly #onSlowTransaction: ((transaction: SlowTransaction) => void) | undefined;
  readonly #clock: Clock;

  constructor(options: KeyedStoreOptions<T, I> = {}) {
    this.#freeze = options.freeze ?? false;
    this.#trackResourceVersion = options.trackResourceVersion ?? true;
    this.#onSlowTransaction = options.onSlowTransaction;
    this.#clock = options.clock ?? systemClock;
    if (options.indexers !== undefined) this.addIndexers(options.indexers);
  }

  /** How many objects there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** The resourceVersion of the last write, whatever came before; `""` at first (STO-13). */
  get lastStoreSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  /**
   * Puts an object in, whether the key is there or not, and returns what was there before.
   *
   * @param sourceVersion the object's resourceVersion before a transform, if the transform may have
   *   removed it
   * @throws {IndexFunctionError} if an index function throws
   */
  add(key: string, object: T | Cached<T>, sourceVersion?: string): Cached<T> | undefined {
    const previous = this.#put(key, asCached<T>(object), sourceVersion);
    this.#follow(object);
    return previous;
  }

  /** The same as {@link KeyedStore.add}. */
  update(key: string, object: T | Cached<T>, sourceVersion?: string): Cached<T> | undefined {
    return this.add(key, object, sourceVersion);
  }

  /**
   * Takes out what is under the key and returns it; {@link KeyedStore.lastStoreSyncResourceVersion}
   * stays (STO-15).
   */
  delete(key: string): Cached<T> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#indexes.remove(entry);
    this.#entries.delete(key);
    if (this.#sourceVersions.size > 0) this.#sourceVersions.delete(key);
    return entry.object;
  }

  /**
   * Takes out what is under the key and returns it, and follows the resourceVersion of the object
   * that is passed.
   */
  deleteWithObject(
    key: string,
    object: T | Cached<T> | DeletedFinalStateUnknown<T>,
  ): Cached<T> | undefined {
    const previous = this.delete(key);
    this.#follow(object);
    return previous;
  }

  /**
   * Swaps the whole content.
   *
   * @param sourceVersions by key, the resourceVersions before a transform, where it may have
   *   removed them
   * @throws {IndexFunctionError} if an index function throws
   */
  replace(
    objects: ReadonlyMap<string, T | Cached<T>>,
    resourceVersion: string,
    sourceVersions?: ReadonlyMap<string, string>,
  ): void {
    // First everything that can fail. Then in place, because most relists bring what is there already.
    for (const [key, object] of objects) {
      this.#prepare(this.#indexes, key, asCached<T>(object));
    }
    for (const [key, object] of objects) {
      this.#put(key, asCached<T>(object), sourceVersions?.get(key));
    }
    if (this.#entries.size > objects.size) {
      for (const key of this.#entries.keys()) if (!objects.has(key)) this.delete(key);
    }
    this.bookmark(resourceVersion);
  }

  /**
   * Begins to swap the whole content in steps, so that a list of any size can be taken in over
   * several turns of the event loop: readers see the present content until the commit, and all of
   * the new one from then on.
   */
  stageReplace(): StagedReplace<T> {
    return stagedReplace<T>({
      indexes: () => this.#indexes,
      prepare: (indexes, key, object) => this.#prepare(indexes, key, object),
      swap: (entries, indexes, resourceVersion) => {
        const before = this.#entries;
        this.#entries = entries;
        this.#indexes = indexes;
        this.#sourceVersions.clear();
        this.bookmark(resourceVersion);
        return before;
      },
    });
  }

  /**
   * Applies writes in order. Not all or nothing: an item that fails is left out. The store follows
   * the resourceVersion of the last item that was applied (STO-13); no items, no effect (STO-11).
   *
   * @throws {TransactionError} if an item failed
   */
  transaction(items: readonly KeyedTransactionItem<T>[]): void {
    const startMs = this.#clock.now();
    const successful: number[] = [];
    const errors: unknown[] = [];
    let last: KeyedTransactionItem<T> | undefined;
    for (const [index, item] of items.entries()) {
      try {
        if (item.type === "Delete") this.delete(item.key);
        else this.#put(item.key, asCached<T>(item.object), undefined);
        successful.push(index);
        last = item;
      } catch (error) {
        errors.push(error);
      }
    }
    if (last !== undefined) this.#follow(last.object);
    this.#reportSlow(items.length, this.#clock.now() - startMs);
    if (errors.length > 0) throw new TransactionError(successful, items.length, errors);
  }

  /** Says that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    if (this.#trackResourceVersion) this.#resourceVersion = resourceVersion;
  }

  get(key: string): Cached<T> | undefined {
    return this.#entries.get(key)?.object;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /**
   * The resourceVersion that the stored object had before its transform: the one that was passed
   * when it was written, otherwise its own. `undefined` if there is no object or no metadata.
   */
  sourceVersion(key: string): string | undefined {
    return this.#sourceVersions.get(key) ?? resourceVersionOf(this.#entries.get(key)?.object);
  }

  list(): Cached<T>[] {
    return unwrap(Array.from(this.#entries.values()));
  }

  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * The objects that have a value of an index. O(objects in the result).
   *
   * @throws {NoSuchIndexError}
   */
  byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[] {
    return this.#indexes.get(name).buckets.get(value)?.objects() ?? [];
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
      const table = this.#indexes.get(name);
      // A value that is missing by mistake must not widen the answer to everything.
      if (value === undefined) {
        throw new TypeError(
          `Couldn't look up by indexes: expected a value of the index ${JSON.stringify(name)}, got undefined`,
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
   * The objects that share a value of an index with `object`, which need not be stored; each once
   * (IDX-6). What the index function throws passes through.
   *
   * @throws {NoSuchIndexError}
   */
  index(name: keyof I & string, object: T | Cached<T>): Cached<T>[] {
    const table = this.#indexes.get(name);
    const values = valuesOf(table.indexFunction(asPlain<T>(object)));
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
    const entries = this.#indexes.get(name).buckets.get(value)?.entries ?? [];
    return entries.map((entry) => entry.key).toSorted();
  }

  /** The values of an index that at least one object has; none for an unknown index (IDX-5). */
  listIndexFuncValues<N extends keyof I & string>(name: N): I[N][];
  listIndexFuncValues(name: string): IndexValue[] {
    return [...(this.#indexes.find(name)?.buckets.keys() ?? [])];
  }

  /**
   * The objects of a namespace by the conventional index `namespace`; `undefined` without that
   * index.
   */
  listNamespace(namespace: string): Cached<T>[] | undefined {
    const table = this.#indexes.find("namespace");
    return table && (table.buckets.get(namespace)?.objects() ?? []);
  }

  /** The index functions by name, as a copy. */
  getIndexers(): Indexers<T, I>;
  getIndexers(): Record<string, IndexFunction<T> | undefined> {
    const indexers: Record<string, IndexFunction<T> | undefined> = {};
    for (const name of this.#indexes.names)
      indexers[name] = this.#indexes.find(name)?.indexFunction;
    return indexers;
  }

  /**
   * Adds indexes, over the objects that are there too. Returns this store under the type that knows
   * them.
   *
   * @throws {IndexConflictError} if a name is taken; none is added then
   * @throws {IndexFunctionError} if an index function throws; none is added then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): KeyedStore<T, I & J>;
  addIndexers(indexers: Indexers<T, IndexValues>): unknown {
    const added = Object.entries(indexers);
    const conflicts = added.map(([name]) => name).filter((name) => this.#indexes.has(name));
    if (conflicts.length > 0) throw new IndexConflictError(conflicts);
    this.#indexes.add(added, this.#entries);
    return this;
  }

  #put(key: string, object: Cached<T>, sourceVersion: string | undefined): Cached<T> | undefined {
    this.#prepare(this.#indexes, key, object);
    const previous = this.#indexes.put(this.#entries, key, object);
    if (sourceVersion !== undefined && sourceVersion !== resourceVersionOf(object)) {
      this.#sourceVersions.set(key, sourceVersion);
    } else if (this.#sourceVersions.size > 0) {
      this.#sourceVersions.delete(key);
    }
    return previous;
  }

  /** Everything in a write that can fail. */
  #prepare(indexes: IndexSet<T>, key: string, object: Cached<T>): void {
    indexes.evaluate(key, object);
    if (this.#freeze) deepFreeze<unknown>(object);
  }

  #reportSlow(items: number, durationMs: number): void {
    // 0.5 s, 5 s: client-go cache.Transaction, tools/cache/store.go
    if (durationMs > Math.min(500 * items, 5000)) this.#onSlowTransaction?.({ items, durationMs });
  }

  #follow(object: unknown): void {
    if (!this.#trackResourceVersion) return;
    this.#resourceVersion = resourceVersionOf(object) ?? this.#resourceVersion;
  }
}
