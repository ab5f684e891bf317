import type { Cached } from "@listwatch/core-fifo";
import type { ToFind } from "./compute-key.ts";

/**
 * A collection of objects by key. Every call is synchronous and atomic; objects come out as they
 * went in, shared by identity. No order is promised of anything it lists, and each list is a new
 * array.
 */
export interface Store<T> {
  /** Puts an object in, whether its key is there or not. */
  add(object: T | Cached<T>): void;
  /** The same as {@link Store.add}. */
  update(object: T | Cached<T>): void;
  /** Takes out what has the object's key; no error if there is nothing. */
  delete(object: ToFind<T>): void;
  /** Swaps the whole content. Of one key twice the last object wins. */
  replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void;
  /** Does nothing in a store that has nothing to hand out again. */
  resync(): void;
  /** Notes that nothing has changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void;
  /** What is stored under the key of the object. */
  get(object: ToFind<T>): Cached<T> | undefined;
  getByKey(key: string): Cached<T> | undefined;
  list(): Cached<T>[];
  listKeys(): string[];
  /**
   * The resourceVersion of the last write, whatever came before: that of the object, of the list,
   * or of the bookmark; `""` at first. A write of something without metadata leaves it as it is.
   */
  readonly lastStoreSyncResourceVersion: string;
}

/** One write of a transaction; `Add` and `Update` are the same. Spelled as in client-go. */
export type TransactionItem<T> =
  | { readonly type: "Add" | "Update"; readonly object: T | Cached<T> }
  | {
      readonly type: "Delete";
      readonly object: ToFind<T>;
    };
