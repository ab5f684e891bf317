import type { Cached } from "@listwatch/core-fifo";
import { Indexer, indexerTable, type IndexerOptions } from "../store/indexer.ts";
import type { NoIndexes } from "../store/index-function.ts";
import type { Store } from "../store/store.ts";
import type { ToFind } from "../store/compute-key.ts";
import { aFunction, checkOptions, type OptionsOf } from "@listwatch/core-fifo/base";

/** Options of {@link UndeltaStore}. */
export interface UndeltaStoreOptions<T> extends Omit<IndexerOptions<T, NoIndexes>, "indexers"> {
  /**
   * Called with the whole content after every write. An error that it throws reaches the writer,
   * although the write is done.
   */
  readonly push: (objects: Cached<T>[]) => void;
}

const { indexers: _, ...withoutIndexers } = indexerTable;
const undeltaTable: OptionsOf<UndeltaStoreOptions<never>> = { ...withoutIndexers, push: aFunction };

/**
 * A store for consumers that want the whole state instead of changes. It passes on the full list
 * after each `add`, `update`, `delete` and `replace`, not after reads, bookmarks and failed writes.
 * O(objects) per write.
 */
export class UndeltaStore<T> implements Store<T> {
  readonly #store: Indexer<T>;
  readonly #push: (objects: Cached<T>[]) => void;

  constructor(options: UndeltaStoreOptions<T>) {
    checkOptions(options, undeltaTable, ["push"]);
    const { push, ...indexerOptions } = options;
    this.#store = new Indexer<T>(indexerOptions);
    this.#push = push;
  }

  get lastStoreSyncResourceVersion(): string {
    return this.#store.lastStoreSyncResourceVersion;
  }

  /**
   * Writes an object, then calls `push` with the whole content.
   *
   * @throws {KeyError} if the object has no key
   */
  add(object: T | Cached<T>): void {
    this.#store.add(object);
    this.#push(this.#store.list());
  }

  /** Same as {@link UndeltaStore.add}. */
  update(object: T | Cached<T>): void {
    this.add(object);
  }

  /**
   * Removes the object with this key, then calls `push` with the whole content.
   *
   * @throws {KeyError} if the object has no key
   */
  delete(object: ToFind<T>): void {
    this.#store.delete(object);
    this.#push(this.#store.list());
  }

  /**
   * Replaces the whole content, then calls `push` with it.
   *
   * @throws {KeyError} if an object has no key; nothing has changed then
   */
  replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void {
    this.#store.replace(objects, resourceVersion);
    this.#push(this.#store.list());
  }

  /** Does nothing. */
  resync(): void {}

  bookmark(resourceVersion: string): void {
    this.#store.bookmark(resourceVersion);
  }

  /**
   * Returns the object stored under the key of `object`; `undefined` if there is none.
   *
   * @throws {KeyError} if the object has no key
   */
  get(object: ToFind<T>): Cached<T> | undefined {
    return this.#store.get(object);
  }

  /** Returns the object with this key; `undefined` if there is none. */
  getByKey(key: string): Cached<T> | undefined {
    return this.#store.getByKey(key);
  }

  /** Returns all objects, as a new array. O(objects). */
  list(): Cached<T>[] {
    return this.#store.list();
  }

  /** Returns all keys, as a new array. O(objects). */
  listKeys(): string[] {
    return this.#store.listKeys();
  }
}
