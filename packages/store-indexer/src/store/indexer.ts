import {
  type Cached,
  deletionHandlingMetaNamespaceKey,
  type KeyFunction,
  type Transform,
} from "@listwatch/core-fifo";
import {
  applyTransform,
  asPlain,
  aFunction,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { computeKey, computeKeyToFind, type ToFind } from "./compute-key.ts";
import { TransactionError } from "./errors.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import {
  KeyedStore,
  type KeyedStoreOptions,
  type KeyedTransactionItem,
  keyedStoreTable,
} from "./keyed-store.ts";
import type { Store, TransactionItem } from "./store.ts";
import { resolveBehaviour } from "./store-behaviour.ts";
import { StoreReader } from "./store-reader.ts";

/** Options of {@link Indexer}. */
export interface IndexerOptions<T, I extends IndexValues> extends KeyedStoreOptions<T, I> {
  /** Computes the key of an object. @default deletionHandlingMetaNamespaceKey */
  readonly keyFunc?:
    | (KeyFunction<NoInfer<T>> &
        // Lets a compiler infer `T` from a key function no sooner than from index functions: a key
        // function of all objects, such as `metaNamespaceKey`, leaves their type open.
        ((object: T extends never ? T : never) => unknown))
    | undefined;
  /**
   * Runs in `add`, `update` and for each object of `replace`, after the key is computed. Does not
   * run in `delete`, `get` and `transaction`.
   *
   * @default none
   */
  readonly transform?: Transform<T> | undefined;
}

/** Checks of {@link IndexerOptions}. */
export const indexerTable: OptionsOf<IndexerOptions<never, never>> = {
  ...keyedStoreTable,
  keyFunc: aFunction,
  transform: aFunction,
};

/** Reads of an {@link Indexer} without writes, safe to hand out. */
export class IndexerReader<T, I extends IndexValues> extends StoreReader<T, I> {
  readonly #computeKey: (object: ToFind<T>) => string;

  /** @param computeKeyOf computes the key of an object to look up */
  constructor(source: StoreReader<T, I>, computeKeyOf: (object: ToFind<T>) => string) {
    super(source);
    this.#computeKey = computeKeyOf;
  }

  /**
   * Returns the object stored under the key of `object`.
   *
   * @throws {KeyError} if `object` has no key
   */
  get(object: ToFind<T>): Cached<T> | undefined {
    return this.getByKey(this.#computeKey(object));
  }
}

/**
 * A store with indexes: objects by key and by values computed from them.
 *
 * Every call is synchronous and atomic, and a write that throws changes nothing. Objects are shared
 * by identity and read-only by type; `freeze` makes them read-only at run time. Lists are new
 * arrays in no defined order. Speed and memory are those of {@link KeyedStore}.
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
export class Indexer<T, I extends IndexValues = NoIndexes>
  extends IndexerReader<T, I>
  implements Store<T>
{
  /** The same content without writes, safe to hand out. */
  readonly reader: IndexerReader<T, I>;
  /**
   * The same content by key, for callers that have computed the keys. It does not run the
   * transform.
   */
  readonly keyed: KeyedStore<T, I>;
  readonly #keyFunc: KeyFunction<T>;
  readonly #computeKeyToFind: (object: ToFind<T>) => string;
  readonly #transform: Transform<T> | undefined;

  constructor(options: IndexerOptions<T, I> = {}) {
    checkOptions(options, indexerTable);
    const { behaviour, keyFunc = deletionHandlingMetaNamespaceKey } = options;
    const { clock, freeze, indexers, onIndexError, onSlowTransaction } = options;
    const keyed = new KeyedStore({
      behaviour,
      clock,
      freeze,
      indexers,
      onIndexError,
      onSlowTransaction,
    });
    const { acceptTombstones } = resolveBehaviour(behaviour);
    const find = acceptTombstones ? computeKeyToFind<T> : computeKey<T>;
    const keyOf = (object: ToFind<T>): string => find(keyFunc, object);
    super(keyed, keyOf);
    this.reader = new IndexerReader(keyed, keyOf);
    this.keyed = keyed;
    this.#keyFunc = keyFunc;
    this.#computeKeyToFind = keyOf;
    this.#transform = options.transform;
  }

  /**
   * Adds or replaces an object.
   *
   * @throws {KeyError} if it has no key
   * @throws {TransformError} if the transform throws
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails
   * @throws {ListwatchError} with the code `LW_NESTED_WRITE`, as every write, if an index function
   *   calls it
   */
  add(object: T | Cached<T>): void {
    const key = computeKey(this.#keyFunc, object);
    this.keyed.add(key, this.#applyTransform(object));
  }

  /** Same as {@link Indexer.add}. */
  update(object: T | Cached<T>): void {
    this.add(object);
  }

  /**
   * Removes the object with this key, if there is one. The store takes over the resourceVersion of
   * `object`, not of the stored one.
   *
   * @throws {KeyError} if `object` has no key
   */
  delete(object: ToFind<T>): void {
    this.keyed.deleteWithObject(this.#computeKeyToFind(object), object);
  }

  /**
   * Replaces the whole content. If a key occurs twice, the last object wins.
   *
   * @throws the errors of {@link Indexer.add}, for the first object that fails; nothing has changed
   *   then
   */
  replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void {
    const byKey = new Map<string, T | Cached<T>>();
    for (const object of objects) {
      byKey.set(computeKey(this.#keyFunc, object), this.#applyTransform(object));
    }
    this.keyed.replace(byKey, resourceVersion);
  }

  /**
   * Applies writes in order, without the transform. It is not all or nothing: an item without a key
   * is skipped. The store takes over the resourceVersion of the last applied item.
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
            ? { ...item, key: this.#computeKeyToFind(item.object) }
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

  /** Does nothing: an indexer delivers no objects. */
  resync(): void {}

  /** Records that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.keyed.bookmark(resourceVersion);
  }

  /**
   * Adds indexes, also over the existing objects. Returns this indexer with a type that includes
   * them.
   *
   * @throws {ListwatchError} with the code `LW_INDEX_CONFLICT` if a name is taken; none is added
   *   then
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails; none is added
   *   then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): Indexer<T, I & J> {
    this.keyed.addIndexers(indexers);
    // The type follows the indexes; the value stays the same.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this as unknown as Indexer<T, I & J>;
  }

  #applyTransform(object: T | Cached<T>): T | Cached<T> {
    return this.#transform === undefined
      ? object
      : applyTransform(this.#transform, asPlain<T>(object));
  }
}
