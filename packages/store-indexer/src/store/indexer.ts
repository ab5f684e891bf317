import {
  type Cached,
  deletionHandlingMetaNamespaceKey,
  type KeyFunction,
  type Transform,
} from "@listwatch/core-fifo";
import { applyTransform, asPlain } from "@listwatch/core-fifo/base";
import { computeKey, computeKeyToFind, type ToFind } from "./compute-key.ts";
import { TransactionError } from "./errors.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import { KeyedStore, type KeyedStoreOptions, type KeyedTransactionItem } from "./keyed-store.ts";
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
   * Runs in `add`, `update` and for each object of `replace`, after the key was computed; not in
   * `delete`, `get` and `transaction`.
   */
  readonly transform?: Transform<T> | undefined;
}

/** The reads of an {@link Indexer}, and nothing else: for code that must not write. */
export class IndexerReader<T, I extends IndexValues> extends StoreReader<T, I> {
  readonly #computeKey: (object: ToFind<T>) => string;

  /** @param computeKeyOf the key of an object that is looked up */
  constructor(source: StoreReader<T, I>, computeKeyOf: (object: ToFind<T>) => string) {
    super(source);
    this.#computeKey = computeKeyOf;
  }

  /**
   * What is stored under the key of the object.
   *
   * @throws {KeyError} if it has no key
   */
  get(object: ToFind<T>): Cached<T> | undefined {
    return this.getByKey(this.#computeKey(object));
  }
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
export class Indexer<T, I extends IndexValues = NoIndexes>
  extends IndexerReader<T, I>
  implements Store<T>
{
  /** The same content without the writes, to be handed out. */
  readonly reader: IndexerReader<T, I>;
  /**
   * The same content by key, for code that has computed the keys already. It does not run the
   * transform.
   */
  readonly keyed: KeyedStore<T, I>;
  readonly #keyFunc: KeyFunction<T>;
  readonly #computeKeyToFind: (object: ToFind<T>) => string;
  readonly #transform: Transform<T> | undefined;

  constructor(options: IndexerOptions<T, I> = {}) {
    const { behaviour, keyFunc = deletionHandlingMetaNamespaceKey } = options;
    const keyed = new KeyedStore(options);
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
   * Puts an object in, whether its key is there or not.
   *
   * @throws {KeyError} if it has no key
   * @throws {TransformError} if the transform throws
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails
   * @throws {NestedWriteError} as every write, if an index function calls it
   */
  add(object: T | Cached<T>): void {
    const key = computeKey(this.#keyFunc, object);
    this.keyed.add(key, this.#applyTransform(object));
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
  delete(object: ToFind<T>): void {
    this.keyed.deleteWithObject(this.#computeKeyToFind(object), object);
  }

  /**
   * Swaps the whole content. Of one key twice the last object wins.
   *
   * @throws what {@link Indexer.add} throws, for the first object that fails; nothing has changed
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
   * Applies writes in order, without the transform. Not all or nothing: an item without a key is
   * left out. The store follows the resourceVersion of the last item that was applied.
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

  /** Does nothing: an indexer has nothing to hand out again. */
  resync(): void {}

  /** Notes that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.keyed.bookmark(resourceVersion);
  }

  /**
   * Adds indexes, over the objects that are there too. Returns this indexer under the type that
   * knows them.
   *
   * @throws {IndexConflictError} if a name is taken; none is added then
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
