import { type Cached, type Clock, systemClock } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import { type IndexFunctionError, TransactionError } from "./errors.ts";
import type { Indexers, IndexValues, NoIndexes } from "./index-function.ts";
import type { StagedReplace } from "./staged-replace.ts";
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
  /** The indexes to begin with. @default none */
  readonly indexers?: Indexers<T, I> | undefined;
  /**
   * Whether objects are frozen deeply when they are written, so that code that changes a cached
   * object fails where it does so. Costs a walk over each object once, too much for production at
   * high rates; turn it on in development and in tests.
   *
   * @default false
   */
  readonly freeze?: boolean | undefined;
  /**
   * Called with each index function that fails for an object, after the write, once until the
   * function works for this object again; see `listIndexErrors`. The object is stored, found by its
   * key and by the other indexes, and absent from this one. While errors of 1000 objects are kept,
   * it is not called for further objects; `unindexedCount` counts them. Must not throw: the write
   * is done, and what is thrown here reaches the runtime as an uncaught error.
   *
   * @default none: the write throws, and has changed nothing
   */
  readonly onIndexError?: ((error: IndexFunctionError) => void) | undefined;
  /** `clientGoStoreBehaviour` decides as client-go does where the two differ on purpose. */
  readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
  /**
   * Called with every transaction that takes longer than half a second an item, or five seconds:
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
      readonly object: ToFind<T>;
    };

/**
 * Objects under keys that the caller computes, with indexes; client-go's ThreadSafeStore. For code
 * that knows the key already, such as an informer; an `Indexer` computes the keys itself.
 *
 * Every call is synchronous and atomic, and a write that throws has changed nothing. Reads and
 * writes by key are O(1) and one more step per index whose value changes; about 100 bytes per
 * object with one index, besides key and object. No order is promised of anything it lists.
 */
export class KeyedStore<T, I extends IndexValues = NoIndexes> extends StoreReader<T, I> {
  /** The same content without the writes, to be handed out. */
  readonly reader: StoreReader<T, I>;
  readonly #content: StoreContent<T>;
  readonly #onSlowTransaction: ((transaction: SlowTransaction) => void) | undefined;
  readonly #clock: Clock;

  constructor(options: KeyedStoreOptions<T, I> = {}) {
    const content = new StoreContent<T>(options);
    super(content);
    this.reader = new StoreReader(content);
    this.#content = content;
    this.#onSlowTransaction = options.onSlowTransaction;
    this.#clock = options.clock ?? systemClock;
    if (options.indexers !== undefined) content.addIndexers(options.indexers);
  }

  /**
   * Puts an object in, whether the key is there or not, and returns what was there before.
   *
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails
   * @throws {NestedWriteError} as every write, if an index function calls it
   */
  add(key: string, object: T | Cached<T>): Cached<T> | undefined {
    return this.#content.put(key, object, object);
  }

  /** The same as {@link KeyedStore.add}. */
  update(key: string, object: T | Cached<T>): Cached<T> | undefined {
    return this.add(key, object);
  }

  /**
   * Takes out what is under the key and returns it; the `lastStoreSyncResourceVersion` stays as it
   * is.
   */
  delete(key: string): Cached<T> | undefined {
    return this.#content.delete(key);
  }

  /**
   * Takes out what is under the key and returns it, and follows the resourceVersion of the object
   * that is passed.
   */
  deleteWithObject(key: string, object: ToFind<T>): Cached<T> | undefined {
    const previous = this.#content.delete(key);
    this.#content.follow(object);
    return previous;
  }

  /**
   * Swaps the whole content.
   *
   * @throws {IndexFunctionError} without `onIndexError`, if an index function fails
   * @throws {NestedWriteError} as every write, if an index function calls it
   */
  replace(objects: ReadonlyMap<string, T | Cached<T>>, resourceVersion: string): void {
    this.#content.replace(objects, resourceVersion);
  }

  /**
   * Begins to swap the whole content in steps, so that a list of any size can be taken in over
   * several turns of the event loop: readers see the present content until the commit, and all of
   * the new one from then on.
   */
  stageReplace(): StagedReplace<T> {
    return this.#content.stageReplace();
  }

  /**
   * Applies writes in order. Not all or nothing: an item that fails is left out. The store follows
   * the resourceVersion of the last item that was applied; no items, no effect.
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

  /** Notes that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    this.#content.bookmark(resourceVersion);
  }

  /**
   * Adds indexes, over the objects that are there too. Returns this store under the type that knows
   * them.
   *
   * @throws {IndexConflictError} if a name is taken; none is added then
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
