import type { Cached } from "@listwatch/core-fifo";

/**
 * Content of a store that is put together beside the present one; see
 * {@link KeyedStore.stageReplace}.
 */
export interface StagedReplace<T> {
  /**
   * Puts an object into the new content; readers do not see it yet.
   *
   * @throws {IndexFunctionError} if an index function fails, in a store without `onIndexError`
   */
  put(key: string, object: T | Cached<T>): void;
  /** Whether the new content has this key. */
  has(key: string): boolean;
  /**
   * Lets the new content take the place of what is there by now, and gives the latter. O(1), and
   * O(objects) for each index that was added meanwhile. To be called once.
   *
   * @throws {IndexFunctionError} if the function of such an index fails, in a store without
   *   `onIndexError`; nothing has changed then
   */
  commit(resourceVersion: string): ReplacedContent<T>;
}

/** What was in a store before another content took its place. */
export interface ReplacedContent<T> {
  get(key: string): Cached<T> | undefined;
  keys(): Iterable<string>;
}
