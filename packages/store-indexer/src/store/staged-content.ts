import { asCached } from "@listwatch/core-fifo/base";
import type { Cached } from "@listwatch/core-fifo";
import type { StagedReplace } from "./staged-replace.ts";
import type { Entry } from "./entry.ts";
import type { IndexSet } from "./index-set.ts";

/** The store whose content is to be replaced. */
interface Target<T> {
  /** Its indexes by now. */
  indexes(): IndexSet<T>;
  /** Everything in a write that can fail. */
  prepare(indexes: IndexSet<T>, key: string, object: Cached<T>): void;
  /** Makes this its content, and gives the one before. */
  swap(
    entries: Map<string, Entry<T>>,
    indexes: IndexSet<T>,
    resourceVersion: string,
  ): ReadonlyMap<string, Entry<T>>;
}

/** Content that is put together beside the present one. */
export function stagedReplace<T>(target: Target<T>): StagedReplace<T> {
  const entries = new Map<string, Entry<T>>();
  const indexes = target.indexes().emptyCopy();
  return {
    put: (key, object) => {
      const readonly = asCached<T>(object);
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
