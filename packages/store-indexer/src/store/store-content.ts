import { ListwatchError, type Cached, type Preset } from "@listwatch/core-fifo";
import {
  asCached,
  callHook,
  aFunction,
  checkOption,
  deepFreeze,
  resourceVersionOf,
} from "@listwatch/core-fifo/base";
import type { Entry } from "./entry.ts";
import type { IndexFunctionError } from "./errors.ts";
import { IndexFailures } from "./index-failures.ts";
import {
  type IndexFunction,
  type IndexResult,
  type IndexValue,
  valuesOf,
} from "./index-function.ts";
import { IndexSet, type NoteFailure } from "./index-set.ts";
import type { StagedReplace } from "./store.ts";
import { resolveBehaviour } from "./store-behaviour.ts";

/** Options of {@link StoreContent}; documented at {@link KeyedStoreOptions}. */
export interface StoreContentOptions {
  readonly freeze?: boolean | undefined;
  readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
  readonly onIndexError?: ((error: IndexFunctionError) => void) | undefined;
}

/**
 * Content of a store: entries, indexes and the resourceVersion of the last write. Readers and
 * writer share it. A write that throws has changed nothing.
 */
export class StoreContent<T> {
  #entries = new Map<string, Entry<T>>();
  #indexes = new IndexSet<T>();
  #resourceVersion = "";
  /** Always empty without `onIndexError`. */
  #failures = new IndexFailures();
  /** Errors of the write in progress. */
  #failed: IndexFunctionError[] = [];
  /** Errors to report at the end of the transaction in progress. */
  #unreported: IndexFunctionError[] | undefined;
  /** Whether an index function is running. It must not write. */
  #isEvaluating = false;
  /** Results of the index functions for the write in progress, by table. */
  readonly #results: IndexResult[] = [];
  readonly #freeze: boolean;
  readonly #trackResourceVersion: boolean;
  readonly #onIndexError: ((error: IndexFunctionError) => void) | undefined;
  readonly #note: NoteFailure;

  constructor(options: StoreContentOptions) {
    this.#freeze = options.freeze ?? false;
    this.#trackResourceVersion = resolveBehaviour(options.behaviour).trackResourceVersion;
    this.#onIndexError = options.onIndexError;
    this.#note = options.onIndexError && ((error) => this.#failed.push(error));
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

  /** Failed index functions of stored objects. */
  get failures(): IndexFailures {
    return this.#failures;
  }

  /**
   * @param followed object whose resourceVersion the store takes over; none within a transaction,
   *   which uses its last item
   * @throws {IndexFunctionError} if there is no `onIndexError`
   */
  put(key: string, object: T | Cached<T>, followed?: unknown): Cached<T> | undefined {
    this.#checkWrite();
    const cached = asCached<T>(object);
    this.#prepare(this.#indexes, key, cached, this.#results, 0);
    const previous = this.#indexes.put(this.#entries, key, cached, this.#results, 0);
    this.follow(followed);
    // Without a hook there are no errors here: they were thrown.
    if (this.#note !== undefined && (this.#failed.length > 0 || !this.#failures.isEmpty)) {
      this.#report(this.#failures.update(key, this.#takeFailed()));
    }
    return previous;
  }

  /** Runs the writes of a transaction. Hooks are called after the last one. */
  transact(write: () => void): void {
    // Writes of an index function are refused one by one.
    if (this.#isEvaluating) {
      write();
      return;
    }
    const unreported: IndexFunctionError[] = [];
    this.#unreported = unreported;
    try {
      write();
    } finally {
      this.#unreported = undefined;
      this.#report(unreported);
    }
  }

  delete(key: string): Cached<T> | undefined {
    this.#checkWrite();
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#remove(key, entry);
    if (!this.#failures.isEmpty) this.#failures.set(key, []);
    return entry.object;
  }

  /** @throws {IndexFunctionError} if there is no `onIndexError` */
  replace(objects: ReadonlyMap<string, T | Cached<T>>, resourceVersion: string): void {
    this.#checkWrite();
    // Everything that can fail runs first. The rest works in place, since most relists change
    // little.
    const failures = new IndexFailures();
    const results: IndexResult[] = [];
    const { size } = this.#indexes;
    let at = 0;
    for (const [key, object] of objects) {
      this.#prepare(this.#indexes, key, asCached<T>(object), results, at);
      at += size;
      if (this.#failed.length > 0) failures.set(key, this.#takeFailed());
    }
    at = 0;
    for (const [key, object] of objects) {
      this.#indexes.put(this.#entries, key, asCached<T>(object), results, at);
      at += size;
    }
    if (this.#entries.size > objects.size) {
      for (const [key, entry] of this.#entries) if (!objects.has(key)) this.#remove(key, entry);
    }
    const former = this.#failures;
    this.#failures = failures;
    this.bookmark(resourceVersion);
    this.#report(failures.keepFrom(former));
  }

  /** See {@link KeyedStore.stageReplace}. */
  stageReplace(): StagedReplace<T> {
    const entries = new Map<string, Entry<T>>();
    const indexes = this.#indexes.emptyCopy();
    const failures = new IndexFailures();
    return {
      put: (key, object) => {
        this.#checkWrite();
        const cached = asCached<T>(object);
        this.#prepare(indexes, key, cached, this.#results, 0);
        indexes.put(entries, key, cached, this.#results, 0);
        if (this.#failed.length > 0 || !failures.isEmpty) failures.set(key, this.#takeFailed());
      },
      has: (key) => entries.has(key),
      get size() {
        return entries.size;
      },
      commit: (resourceVersion) => {
        this.#checkWrite();
        this.#addIndexes(indexes, this.#indexes.missingIn(indexes), entries, failures);
        const before = this.#entries;
        const former = this.#failures;
        this.#entries = entries;
        this.#indexes = indexes;
        this.#failures = failures;
        this.bookmark(resourceVersion);
        this.#report(failures.keepFrom(former));
        return { get: (key) => before.get(key)?.object, keys: () => before.keys() };
      },
    };
  }

  /**
   * @throws {InvalidOptionsError} if one is not a function; none is added then
   * @throws {ListwatchError} with the code `LW_INDEX_CONFLICT` if a name is taken; none is added
   *   then
   * @throws {IndexFunctionError} without `onIndexError`, if an index function throws; none is added
   *   then
   */
  addIndexers(indexers: Readonly<Record<string, IndexFunction<T>>>): void {
    this.#checkWrite();
    const added = Object.entries(indexers);
    for (const [name, indexFunction] of added) {
      checkOption(`indexers.${name}`, indexFunction, aFunction);
    }
    const conflicts = added.map(([name]) => name).filter((name) => this.#indexes.has(name));
    if (conflicts.length > 0) {
      const got = JSON.stringify(conflicts);
      throw new ListwatchError(
        "LW_INDEX_CONFLICT",
        `Cannot add indexes: expected new names, got existing ${got}`,
      );
    }
    this.#report(this.#addIndexes(this.#indexes, added, this.#entries, this.#failures));
  }

  /** Calls one index function, outside of a write. Its errors pass through. */
  query(name: string, object: T | Cached<T>): readonly IndexValue[] {
    const { indexFunction } = this.#indexes.get(name);
    return valuesOf(this.#evaluate(() => indexFunction(asCached(object))));
  }

  bookmark(resourceVersion: string): void {
    this.#checkWrite();
    if (this.#trackResourceVersion) this.#resourceVersion = resourceVersion;
  }

  /** Takes over the resourceVersion of a written object, if it has metadata. */
  follow(object: unknown): void {
    if (!this.#trackResourceVersion) return;
    this.#resourceVersion = resourceVersionOf(object) ?? this.#resourceVersion;
  }

  /** @throws {ListwatchError} with the code `LW_NESTED_WRITE` if an index function is running */
  #checkWrite(): void {
    if (!this.#isEvaluating) return;
    throw new ListwatchError(
      "LW_NESTED_WRITE",
      "Cannot write to the store: expected the index function that is running only to read its object",
    );
  }

  #remove(key: string, entry: Entry<T>): void {
    this.#indexes.remove(entry);
    this.#entries.delete(key);
  }

  /**
   * Runs all parts of a write that can fail. Stores the results of the index functions in
   * `results`, from `at`.
   */
  #prepare(
    indexes: IndexSet<T>,
    key: string,
    object: Cached<T>,
    results: IndexResult[],
    at: number,
  ): void {
    if (indexes.size > 0) {
      // Not `#evaluate`, which would create a function for each object.
      this.#isEvaluating = true;
      try {
        indexes.evaluate(key, object, this.#note, results, at);
      } finally {
        this.#isEvaluating = false;
      }
    }
    if (this.#freeze) this.#freezeDeeply(object);
  }

  #freezeDeeply(object: Cached<T>): void {
    try {
      deepFreeze<unknown>(object);
    } catch (error) {
      // The object is not stored, so its index errors must not count for a later write.
      this.#failed = [];
      throw error;
    }
  }

  /** Runs an index function, during which writes are refused. Calls can be nested. */
  #evaluate<R>(run: () => R): R {
    const isNested = this.#isEvaluating;
    this.#isEvaluating = true;
    try {
      return run();
    } finally {
      this.#isEvaluating = isNested;
    }
  }

  /** Adds indexes over `entries`. Adds errors to `failures` and returns the stored ones. */
  #addIndexes(
    indexes: IndexSet<T>,
    added: Iterable<[string, IndexFunction<T>]>,
    entries: ReadonlyMap<string, Entry<T>>,
    failures: IndexFailures,
  ): readonly IndexFunctionError[] {
    const kept: IndexFunctionError[] = [];
    const note: NoteFailure =
      this.#note &&
      ((error) => {
        if (failures.add(error)) kept.push(error);
      });
    this.#evaluate(() => indexes.add(added, entries, note));
    return kept;
  }

  #takeFailed(): readonly IndexFunctionError[] {
    const failed = this.#failed;
    if (failed.length > 0) this.#failed = [];
    return failed;
  }

  /** Called after the write, so that the hook finds the object. */
  #report(failed: readonly IndexFunctionError[]): void {
    const onIndexError = this.#onIndexError;
    if (onIndexError === undefined) return;
    if (this.#unreported !== undefined) {
      this.#unreported.push(...failed);
      return;
    }
    for (const error of failed) callHook(() => onIndexError(error));
  }
}
