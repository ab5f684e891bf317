import type { Cached } from "@listwatch/core-fifo";

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
  get(key: string): Cached<T> | undefined;
  keys(): Iterable<string>;
}
