import type { Cached } from "@listwatch/core-fifo";
import { asCached, resourceVersionOf } from "@listwatch/core-fifo/base";
import { deepFreeze } from "./deep-freeze.ts";
import type { Entry } from "./entry.ts";
import { IndexConflictError } from "./errors.ts";
import type { IndexFunction } from "./index-function.ts";
import { type IndexResults, IndexSet } from "./index-set.ts";
import type { StagedReplace } from "./staged-replace.ts";

/** Where stores and caches can be told to behave as client-go does. */
export interface StoreBehaviour {
  /**
   * Whether an indexer understands tombstones where an object is only looked up or deleted, by the
   * key they carry. If not, the key function gets them.
   *
   * @default true
   */
  readonly acceptTombstones?: boolean | undefined;
  /**
   * Whether `lastStoreSyncResourceVersion` follows the writes. If not, it is always `""`, as in
   * client-go without the feature gate AtomicFIFO.
   *
   * @default true
   */
  readonly trackResourceVersion?: boolean | undefined;
  /**
   * Whether `getByKey` of a mutation cache forgets an object that the store does not have once it
   * has returned it.
   *
   * @default false
   */
  readonly forgetAddsOnRead?: boolean | undefined;
}

/** client-go's behaviour of stores and caches, for programs that depend on it. */
export const clientGoStoreBehaviour: StoreBehaviour = {
  acceptTombstones: false,
  forgetAddsOnRead: true,
};

/** Options of {@link StoreContent}; documented at {@link KeyedStoreOptions}. */
export interface StoreContentOptions {
  readonly freeze?: boolean | undefined;
  readonly behaviour?: StoreBehaviour | undefined;
}

/**
 * What a store holds: entries, indexes and the resourceVersion of the last write. Its readers and
 * its writer share it. A write that throws has changed nothing.
 */
export class StoreContent<T> {
  #entries = new Map<string, Entry<T>>();
  #indexes = new IndexSet<T>();
  #resourceVersion = "";
  readonly #freeze: boolean;
  readonly #trackResourceVersion: boolean;

  constructor(options: StoreContentOptions) {
    this.#freeze = options.freeze ?? false;
    this.#trackResourceVersion = options.behaviour?.trackResourceVersion ?? true;
  }

  get entries(): ReadonlyMap<string, Entry<T>> {
    return this.#entries;
  }

  get indexes(): IndexSet<T> {
    return this.#indexes;
  }

  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** @throws {IndexFunctionError} */
  put(key: string, object: T | Cached<T>): Cached<T> | undefined {
    const cached = asCached<T>(object);
    const results = this.#prepare(this.#indexes, key, cached);
    return this.#indexes.put(this.#entries, key, cached, results);
  }

  delete(key: string): Cached<T> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#indexes.remove(entry);
    this.#entries.delete(key);
    return entry.object;
  }

  /** @throws {IndexFunctionError} */
  replace(objects: ReadonlyMap<string, T | Cached<T>>): void {
    // First everything that can fail. Then in place: most relists bring what is there already.
    const prepared: IndexResults[] = [];
    for (const [key, object] of objects) {
      prepared.push(this.#prepare(this.#indexes, key, asCached<T>(object)));
    }
    let next = 0;
    for (const [key, object] of objects) {
      const results = prepared[next];
      if (results !== undefined)
        this.#indexes.put(this.#entries, key, asCached<T>(object), results);
      next += 1;
    }
    if (this.#entries.size === objects.size) return;
    for (const key of this.#entries.keys()) if (!objects.has(key)) this.delete(key);
  }

  /** See {@link KeyedStore.stageReplace}. */
  stageReplace(): StagedReplace<T> {
    const entries = new Map<string, Entry<T>>();
    const indexes = this.#indexes.emptyCopy();
    return {
      put: (key, object) => {
        const cached = asCached<T>(object);
        indexes.put(entries, key, cached, this.#prepare(indexes, key, cached));
      },
      has: (key) => entries.has(key),
      commit: (resourceVersion) => {
        indexes.add(this.#indexes.missingIn(indexes), entries);
        const before = this.#entries;
        this.#entries = entries;
        this.#indexes = indexes;
        this.bookmark(resourceVersion);
        return { get: (key) => before.get(key)?.object, keys: () => before.keys() };
      },
    };
  }

  /**
   * @throws {IndexConflictError} if a name is taken; none is added then
   * @throws {IndexFunctionError} if an index function throws; none is added then
   */
  addIndexers(indexers: Readonly<Record<string, IndexFunction<T>>>): void {
    const added = Object.entries(indexers);
    const conflicts = added.map(([name]) => name).filter((name) => this.#indexes.has(name));
    if (conflicts.length > 0) throw new IndexConflictError(conflicts);
    this.#indexes.add(added, this.#entries);
  }

  bookmark(resourceVersion: string): void {
    if (this.#trackResourceVersion) this.#resourceVersion = resourceVersion;
  }

  /** Follows the resourceVersion of what was written; without metadata it stays as it is. */
  follow(object: unknown): void {
    if (!this.#trackResourceVersion) return;
    this.#resourceVersion = resourceVersionOf(object) ?? this.#resourceVersion;
  }

  /** Everything in a write that can fail. */
  #prepare(indexes: IndexSet<T>, key: string, object: Cached<T>): IndexResults {
    const results = indexes.evaluate(key, object);
    if (this.#freeze) deepFreeze<unknown>(object);
    return results;
  }
}
