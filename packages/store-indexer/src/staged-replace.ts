import { asDeepReadonly, type DeepReadonly } from "./deep-readonly.ts";
import type { Entry } from "./internal/entry.ts";
import type { IndexSet } from "./internal/index-set.ts";

/** Content of a store that is put together beside the present one; see {@link KeyedStore.stageReplace}. */
export interface StagedReplace<T> {
  /**
   * Puts an object into the new content; readers do not see it yet.
   *
   * @throws {IndexFunctionError} if an index function throws
   */
  put(key: string, object: T | DeepReadonly<T>): void;
  /** Whether the new content has this key. */
  has(key: string): boolean;
  /**
   * Lets the new content take the place of what is there by now, and gives the latter. O(1), and O(objects) for each
   * index that was added meanwhile. To be called once.
   *
   * @throws {IndexFunctionError} if the function of such an index throws; nothing has changed then
   */
  commit(resourceVersion: string): ReplacedContent<T>;
}

/** What was in a store before another content took its place. */
export interface ReplacedContent<T> {
  get(key: string): DeepReadonly<T> | undefined;
  keys(): Iterable<string>;
}

/** The store whose content is to be replaced. */
interface Target<T> {
  /** Its indexes by now. */
  indexes(): IndexSet<T>;
  /** Everything in a write that can fail. */
  prepare(indexes: IndexSet<T>, key: string, object: DeepReadonly<T>): void;
  /** Makes this its content, and gives the one before. */
  swap(
    entries: Map<string, Entry<T>>,
    indexes: IndexSet<T>,
    resourceVersion: string,
  ): ReadonlyMap<string, Entry<T>>;
}

export function stagedReplace<T>(target: Target<T>): StagedReplace<T> {
  const entries = new Map<string, Entry<T>>();
  const indexes = target.indexes().emptyCopy();
  return {
    put: (key, object) => {
      const readonly = asDeepReadonly<T>(object);
      target.prepare(indexes, key, readonly);
      indexes.put(entries, key, readonly);
    },
    has: (key) => entries.has(key),
    commit: (resourceVersion) => {
      indexes.add(target.indexes().missingIn(indexes), entries);
      const before = target.swap(entries, indexes, resourceVersion);
      return { get: (key) => before.get(key)?.object, keys: () => before.keys() };
    },
  };
}
