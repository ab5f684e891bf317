import type { Cached } from "@listwatch/core-fifo";
import type { ToFind } from "./compute-key.ts";

/**
 * A collection of objects by key. Every call is synchronous and atomic. Objects are shared by
 * identity, not copied. Lists have no defined order, and each list is a new array.
 */
export interface Store<T> {
  /** Adds or replaces an object. */
  add(object: T | Cached<T>): void;
  /** Same as {@link Store.add}. */
  update(object: T | Cached<T>): void;
  /** Removes the object with this key, if there is one. */
  delete(object: ToFind<T>): void;
  /** Replaces the whole content. If a key occurs twice, the last object wins. */
  replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void;
  /** Does nothing in a store that delivers no objects. */
  resync(): void;
  /** Records that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
  /** Returns the object stored under the key of `object`. */
  get(object: ToFind<T>): Cached<T> | undefined;
  /** Returns the object with this key; `undefined` if there is none. */
  getByKey(key: string): Cached<T> | undefined;
  /** Returns all objects, as a new array. */
  list(): Cached<T>[];
  /** Returns all keys, as a new array. */
  listKeys(): string[];
  /**
   * resourceVersion of the last write: of the object, the list or the bookmark; `""` at first.
   * Writing an object without metadata does not change it.
   */
  readonly lastStoreSyncResourceVersion: string;
}

/** One write of a transaction. `Add` and `Update` are equivalent; spelled as in client-go. */
export type TransactionItem<T> =
  | {
      /** Write of an object. Both names mean the same. */
      readonly type: "Add" | "Update";
      /** New state of the object. */
      readonly object: T | Cached<T>;
    }
  | {
      /** Removal of an object. */
      readonly type: "Delete";
      /** Object or tombstone. Nothing happens if the store does not have it. */
      readonly object: ToFind<T>;
    };

/** New content of a store, prepared beside the current one; see {@link KeyedStore.stageReplace}. */
export interface StagedReplace<T> {
  /**
   * Adds an object to the new content. Readers do not see it yet.
   *
   * @throws {IndexFunctionError} if an index function fails and the store has no `onIndexError`
   */
  put(key: string, object: T | Cached<T>): void;
  /** Whether the new content contains this key. */
  has(key: string): boolean;
  /** Number of objects in the new content. */
  readonly size: number;
  /**
   * Replaces the current content by the new one and returns the former. Call it once. O(1), plus
   * O(objects) for each index that was added in the meantime.
   *
   * @throws {IndexFunctionError} if the function of such an index fails and the store has no
   *   `onIndexError`; nothing has changed then
   */
  commit(resourceVersion: string): ReplacedContent<T>;
}

/** Former content of a store, after a replace. */
export interface ReplacedContent<T> {
  /** Returns the former object with this key; `undefined` if there was none. */
  get(key: string): Cached<T> | undefined;
  /** Returns the keys of the former content. */
  keys(): Iterable<string>;
}
