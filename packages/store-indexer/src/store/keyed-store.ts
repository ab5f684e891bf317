import { type Cached, type Clock, systemClock } from "@listwatch/core-fifo";
import {
  Preset,
  aBoolean,
  aClock,
  aFunction,
  anObject,
  anything,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { type IndexFunctionError, TransactionError } from "./errors.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import type { StagedReplace } from "./store.ts";
import { clientGoValues } from "./store-behaviour.ts";
import { StoreContent } from "./store-content.ts";
import { StoreReader } from "./store-reader.ts";
import type { ToFind } from "./compute-key.ts";

/**
 * client-go's behaviour of stores and caches, for programs that depend on it: an indexer calls the
 * key function with tombstones, and a mutation cache forgets an object that the store does not have
 * once `getByKey` has returned it.
 */
export const clientGoStoreBehaviour: Preset<"clientGoStoreBehaviour"> = /* @__PURE__ */ new Preset(
  "clientGoStoreBehaviour",
  clientGoValues,
);

/** Options of {@link KeyedStore}. */
export interface KeyedStoreOptions<T, I extends IndexValues> {
  /** Initial indexes. @default none */
  readonly indexers?: Indexers<T, I> | undefined;
  /**
   * Whether to freeze objects deeply when they are written, so that code that changes a cached
   * object fails at that place. Costs one walk over each object: meant for development and tests,
   * too slow for production at high rates.
   *
   * @default false
   */
  readonly freeze?: boolean | undefined;
  /**
   * Called after a write with the error of each index function that failed for the object, once
   * until the function works for it again; see `listIndexErrors`. The object is stored and absent
   * from this index only. Not called while errors of 1000 objects are stored; `unindexedCount`
   * counts them. Must not throw: an error thrown here reaches the runtime as an uncaught error.
   *
   * @default none, the write throws and changes nothing
   */
  readonly onIndexError?: ((error: IndexFunctionError) => void) | undefined;
  /**
   * `clientGoStoreBehaviour` selects client-go's behaviour where the store differs.
   *
   * @default none
   */
  readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
  /**
   * Called with every transaction that takes longer than half a second per item, or five seconds.
   * Only index functions can make it slow.
   *
   * @default none
   */
  readonly onSlowTransaction?: ((transaction: SlowTransaction) => void) | undefined;
  /** Measures transactions for `onSlowTransaction`. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Checks of {@link KeyedStoreOptions}. */
export const keyedStoreTable: OptionsOf<KeyedStoreOptions<never, never>> = {
  indexers: anObject,
  freeze: aBoolean,
  onIndexError: aFunction,
  behaviour: anything,
  onSlowTransaction: aFunction,
  clock: aClock,
};

/** A slow transaction. */
export interface SlowTransaction {
  /** Number of items. */
  readonly items: number;
  /** Duration of all writes together, in milliseconds. */
  readonly durationMs: number;
}

/** One write of a keyed transaction. */
export type KeyedTransactionItem<T> =
  | {
      /** Write of an object. Both names mean the same. */
      readonly type: "Add" | "Update";
      /** Key of the object. The store does not check that it fits the object. */
      readonly key: string;
      /** New state of the object. */
      readonly object: T | Cached<T>;
    }
  | {
      /** Removal of an object. */
      readonly type: "Delete";
      /** Key of the object. Nothing happens if the store does not have it. */
      readonly key: string;
      /** Object or tombstone, for the resourceVersion of the store after the transaction. */
      readonly object: ToFind<T>;
    };

/**
 * Objects under keys that the caller computes, with indexes: client-go's ThreadSafeStore. For
 * callers that already know the key, such as an informer. An `Indexer` computes keys itself.
 *
 * Every call is synchronous and atomic, and a write that throws changes nothing. Reads and writes
 * by key are O(1), plus one step per index whose value changes. An object takes about 100 bytes
 * with one index, in addition to its key and content. Lists have no defined order.
 */
export class KeyedStore<T, I extends IndexValues = NoIndexes> extends StoreReader<T, I> {
  /** The same content without writes, safe to hand out. */
  readonly reader: StoreReader<T, I>;
  readonly #content: StoreContent<T>;
  readonly #onSlowTransaction: ((transaction: SlowTransaction) => void) | undefined;
  readonly #clock: Clock;

  constructor(options: KeyedStoreOptions<T, I> = {}) {
    checkOptions(options, keyedStoreTable);
    const content = new StoreContent<T>(options);
    super(content);
    this.reader = new StoreReader(content);
    this.#content = content;
    this.#onSlowTransaction = options.onSlowTransaction;
    this.#clock = options.clock ?? systemClock;
    if (options.indexers !== undefined) content.addIndexers(options.indexers);
  }

  /**
   * Adds or replaces an object. Returns the previous one.
   *
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails
   * @throws {ListwatchError} with the code `LW_NESTED_WRITE`, as every write, if an index function
   *   calls it
   */
  add(key: string, object: T | Cached<T>): Cached<T> | undefined {
    return this.#content.put(key, object, object);
  }

  /** Same as {@link KeyedStore.add}. */
  update(key: string, object: T | Cached<T>): Cached<T> | undefined {
    return this.add(key, object);
  }

  /** Removes and returns the object under the key. Does not change `lastStoreSyncResourceVersion`. */
  delete(key: string): Cached<T> | undefined {
    return this.#content.delete(key);
  }

  /** Removes and returns the object under the key, and takes over the resourceVersion of `object`. */
  deleteWithObject(key: string, object: ToFind<T>): Cached<T> | undefined {
    const previous = this.#content.delete(key);
    this.#content.follow(object);
    return previous;
  }

  /**
   * Replaces the whole content.
   *
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails
   * @throws {ListwatchError} with the code `LW_NESTED_WRITE`, as every write, if an index function
   *   calls it
   */
  replace(objects: ReadonlyMap<string, T | Cached<T>>, resourceVersion: string): void {
    this.#content.replace(objects, resourceVersion);
  }

  /**
   * Starts to replace the whole content in steps, so that a large list can take several turns of
   * the event loop. Readers see the current content until the commit, and the complete new content
   * after it.
   */
  stageReplace(): StagedReplace<T> {
    return this.#content.stageReplace();
  }

  /**
   * Applies writes in order. It is not all or nothing: an item that fails is skipped. The store
   * takes over the resourceVersion of the last applied item. A transaction without items has no
   * effect.
   *
   * @throws {TransactionError} if an item failed
   */
  transaction(items: readonly KeyedTransactionItem<T>[]): void {
    const startMs = this.#clock.now();
    let durationMs = 0;
    const successful: number[] = [];
    const errors: unknown[] = [];
    this.#content.transact(() => {
      let last: KeyedTransactionItem<T> | undefined;
      for (const [index, item] of items.entries()) {
        try {
          if (item.type === "Delete") this.delete(item.key);
          else this.#content.put(item.key, item.object);
          successful.push(index);
          last = item;
        } catch (error) {
          errors.push(error);
        }
      }
      if (last !== undefined) this.#content.follow(last.object);
      durationMs = this.#clock.now() - startMs;
    });
    this.#reportSlow(items.length, durationMs);
    if (errors.length > 0) throw new TransactionError(successful, items.length, errors);
  }

  /** Records that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.#content.bookmark(resourceVersion);
  }

  /**
   * Adds indexes, also over the existing objects. Returns this store with a type that includes
   * them.
   *
   * @throws {ListwatchError} with the code `LW_INDEX_CONFLICT` if a name is taken; none is added
   *   then
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails; none is added
   *   then
   */
  addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): KeyedStore<T, I & J> {
    this.#content.addIndexers(indexers);
    // The type follows the indexes; the value stays the same.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this as unknown as KeyedStore<T, I & J>;
  }

  #reportSlow(items: number, durationMs: number): void {
    // 0.5 s, 5 s: client-go cache.Transaction, tools/cache/store.go
    if (durationMs > Math.min(500 * items, 5000)) this.#onSlowTransaction?.({ items, durationMs });
  }
}
