import { asPlain } from "@listwatch/core-fifo/base";
import {
  applyTransform,
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKey,
  type KeyFunction,
  resourceVersionOf,
  type Transform,
  type Cached,
} from "@listwatch/core-fifo";
import { TransactionError } from "./errors.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import { computeKey, computeKeyToFind } from "./compute-key.ts";
import {
  type IndexQuery,
  KeyedStore,
  type KeyedStoreOptions,
  type KeyedTransactionItem,
} from "./keyed-store.ts";
import type { Store, TransactionItem } from "./store.ts";

/** Options of {@link Indexer}. */
export interface IndexerOptions<T, I extends IndexValues> extends KeyedStoreOptions<T, I> {
  /** Computes the key of an object. @default deletionHandlingMetaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Whether tombstones are understood where an object is only looked up or deleted, by the key they
   * carry. If not, the key function gets them, as in client-go.
   *
   * @default true
   */
  readonly acceptTombstones?: boolean | undefined;
  /**
   * Runs in `add`, `update` and for each object of `replace`, after the key was computed; not in
   * `delete`, `get` and `transaction` (STO-3).
   */
  readonly transform?: Transform<T> | undefined;
}

/**
 * A store with indexes: objects by key, and by any value computed from them.
 *
 * Everything is synchronous and atomic, and a write that throws has changed nothing. Objects are
 * shared by identity and read-only by type; `freeze` makes them read-only in fact. Lists are new
 * arrays in no promised order. Speed and memory are those of {@link KeyedStore}.
 *
 * ```ts
 * import { Indexer, namespaceIndex } from "@listwatch/store-indexer";
 *
 * interface Pod {
 *   metadata: { namespace: string; name: string };
 *   spec: { nodeName?: string };
 * }
 * const pods = new Indexer({
 *   indexers: { ...namespaceIndex, node: (pod: Pod) => pod.spec.nodeName },
 * });
 * pods.add({ metadata: { namespace: "shop", name: "web-1" }, spec: { nodeName: "n1" } });
 * const onNode = pods.byIndex("node", "n1");
 * const inShop = pods.byIndexes({ namespace: "shop", node: "n1" });
 * if (onNode[0] !== inShop[0]) throw new Error("Expected the same object");
 * ```
 */
export class Indexer<T, I extends IndexValues = NoIndexes> implements Store<T> {
  /**
   * The same content by key, for code that has computed the keys already. It does not run the
   * transform.
   */
  readonly keyed: KeyedStore<T, I>;
  readonly #keyFunc: KeyFunction<T>;
  readonly #acceptTombstones: boolean;
  readonly #transform: Transform<T> | undefined;

  constructor(options: IndexerOptions<T, I> = {}) {
    this.keyed = new KeyedStore(options);
    this.#keyFunc = options.keyFunc ?? deletionHandlingMetaNamespaceKey;
    this.#acceptTombstones = options.acceptTombstones ?? true;
    this.#transform = options.transform;
  }

  get size(): number {
    return this.keyed.size;
  }

  get lastStoreSyncResourceVersion(): string {
    return this.keyed.lastStoreSyncResourceVersion;
  }

  /**
   * Puts an object in, whether its key is there or not.
   *
   * @throws {KeyError} if it has no key
   * @throws {TransformError} if the transform throws
   * @throws {IndexFunctionError} if an index function throws
   */
  add(object: T | Cached<T>): void {
    const key = computeKey(this.#keyFunc, object);
    if (this.#transform === undefined) this.keyed.add(key, object);
    else
      this.keyed.add(
        key,
        applyTransform(this.#transform, asPlain<T>(object)),
        resourceVersionOf(object),
      );
  }

  /** The same as {@link Indexer.add}. */
  update(object: T | Cached<T>): void {
    this.add(object);
  }

  /**
   * Takes out what has the object's key; no error if there is nothing. The store follows the
   * resourceVersion of the object that is passed, not of the one that was stored.
   *
   * @throws {KeyError} if it has no key
   */
  delete(object: T | Cached<T> | DeletedFinalStateUnknown<T>): void {
    this.keyed.deleteWithObject(this.#keyToFind(object), object);
  }

  /**
   * Swaps the whole content. Of one key twice the last object wins.
   *
   * @throws what {@link Indexer.add} throws, for the first object that fails; nothing has changed
   *   then
   */
  replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void {
    const byKey = new Map<string, T | Cached<T>>();
    const transform = this.#transform;
    if (transform === undefined) {
      for (const object of objects) byKey.set(computeKey(this.#keyFunc, object), object);
      this.keyed.replace(byKey, resourceVersion);
      return;
    }
    const sourceVersions = new Map<string, string>();
    for (const object of objects) {
      const key = computeKey(this.#keyFunc, object);
      const sourceVersion = resourceVersionOf(object);
      byKey.set(key, applyTransform(transform, asPlain<T>(object)));
      if (sourceVersion !== undefined) sourceVersions.set(key, sourceVersion);
    }
    this.keyed.replace(byKey, resourceVersion, sourceVersions);
  }

  /**
   * Applies writes in order, without the transform. Not all or nothing: an item without a key is
   * left out (STO-9). The store follows the resourceVersion of the last item that was applied.
   *
   * @throws {TransactionError} if an item failed
   */
  transaction(items: readonly TransactionItem<T>[]): void {
    const keyed: KeyedTransactionItem<T>[] = [];
    const positions: number[] = [];
    const failures = new Map<number, unknown>();
    for (const [index, item] of items.entries()) {
      try {
        keyed.push(
          item.type === "Delete"
            ? { ...item, key: this.#keyToFind(item.object) }
            : { ...item, key: computeKey(this.#keyFunc, item.object) },
        );
        positions.push(index);
      } catch (error) {
        failures.set(index, error);
      }
    }
    let successful = positions;
    try {
      this.keyed.transaction(keyed);
    } catch (error) {
      if (!(error instanceof TransactionError)) throw error;
      successful = error.successfulIndices.map((index) => positions[index] ?? index);
      const applied = new Set(successful);
      const failed = positions.filter((index) => !applied.has(index));
      for (const [nth, index] of failed.entries()) failures.set(index, error.errors[nth]);
    }
    if (failures.size === 0) return;
    const errors = [...failures].toSorted(([left], [right]) => left - right);
    throw new TransactionError(
      successful,
      items.length,
      errors.map(([, error]) => error),
    );
  }

  /** Does nothing: an indexer has nothing to hand out again (STO-6). */
  resync(): void {}

  /** Says that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.keyed.bookmark(resourceVersion);
  }

  /**
   * What is stored under the key of the object.
   *
   * @throws {KeyError} if it has no key
   */
  get(object: T | Cached<T> | DeletedFinalStateUnknown<T>): Cached<T> | undefined {
    return this.keyed.get(this.#keyToFind(object));
  }

  getByKey(key: string): Cached<T> | undefined {
    return this.keyed.get(key);
  }

  list(): Cached<T>[] {
    return this.keyed.list();
  }

  listKeys(): string[] {
    return this.keyed.listKeys();
  }

  /**
   * The objects that have a value of an index. O(objects in the result).
   *
   * @throws {NoSuchIndexError}
   */
  byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[] {
    return this.keyed.byIndex(name, value);
  }

  /**
   * The objects that have the given value in every index named; all objects if none is named.
   * O(objects that have the rarest of the values).
   *
   * @throws {NoSuchIndexError}
   * @throws {TypeError} if an index is named with `undefined`
   */
  byIndexes(query: IndexQuery<I>): Cached<T>[] {
    return this.keyed.byIndexes(query);
  }

  /**
   * The objects that share a value of an index with `object`, which need not be stored; each once
   * (IDX-6). What the index function throws passes through.
   *
   * @throws {NoSuchIndexError}
   */
  index(name: keyof I & string, object: T | Cached<T>): Cached<T>[] {
    return this.keyed.index(name, object);
  }

  /**
   * The keys that have a value of an index, ascending by code unit.
   *
   * @throws {NoSuchIndexError}
   */
  indexKeys<N extends keyof I & string>(name: N, value: I[N]): string[] {
    return this.keyed.indexKeys(name, value);
  }

  /** The values of an index that at least one object has; none for an unknown index (IDX-5). */
  listIndexFuncValues<N extends keyof I & string>(name: N): I[N][] {
    return this.keyed.listIndexFuncValues(name);
  }

  /**
   * The objects of a namespace by the conventional index `namespace`; `undefined` without that
   * index.
   */
  listNamespace(namespace: string): Cached<T>[] | undefined {
    return this.keyed.listNamespace(namespace);
  }

  /** The index functions by name, as a copy. */
  getIndexers(): Indexers<T, I> {
    return this.keyed.getIndexers();
  }

  /**
   * Adds indexes, over the objects that are there too. Returns this indexer under the type that
   * knows them.
   *
   * @throws {IndexConflictError} if a name is taken; none is added then
   * @throws {IndexFunctionError} if an index function throws; none is added then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Indexer<T, I & J>;
  addIndexers(indexers: Indexers<T, IndexValues>): unknown {
    this.keyed.addIndexers(indexers);
    return this;
  }

  #keyToFind(object: T | Cached<T> | DeletedFinalStateUnknown<T>): string {
    const compute = this.#acceptTombstones ? computeKeyToFind : computeKey;
    return compute<T>(this.#keyFunc, object);
  }
}
