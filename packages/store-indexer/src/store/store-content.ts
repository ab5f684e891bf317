import type { Cached, Preset } from "@listwatch/core-fifo";
import {
  asCached,
  callHook,
  checkFunctions,
  deepFreeze,
  resourceVersionOf,
} from "@listwatch/core-fifo/base";
import type { Entry } from "./entry.ts";
import { IndexConflictError, type IndexFunctionError, NestedWriteError } from "./errors.ts";
import { IndexFailures } from "./index-failures.ts";
import {
  type IndexFunction,
  type IndexResult,
  type IndexValue,
  valuesOf,
} from "./index-function.ts";
import { IndexSet, type NoteFailure } from "./index-set.ts";
import type { StagedReplace } from "./staged-replace.ts";
import { resolveBehaviour } from "./store-behaviour.ts";

/** Options of {@link StoreContent}; documented at {@link KeyedStoreOptions}. */
export interface StoreContentOptions {
  readonly freeze?: boolean | undefined;
  readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
  readonly onIndexError?: ((error: IndexFunctionError) => void) | undefined;
}

/**
 * What a store holds: entries, indexes and the resourceVersion of the last write. Its readers and
 * its writer share it. A write that throws has changed nothing.
 */
export class StoreContent<T> {
  #entries = new Map<string, Entry<T>>();
  #indexes = new IndexSet<T>();
  #resourceVersion = "";
  /** Empty without `onIndexError`. */
  #failures = new IndexFailures();
  /** What has failed in the write in progress. */
  #failed: IndexFunctionError[] = [];
  /** What is to be reported at the end of the transaction in progress. */
  #unreported: IndexFunctionError[] | undefined;
  /** Whether an index function is running, which must not write. */
  #isEvaluating = false;
  /** What the index functions gave in the write in progress, by table. */
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

  /** The index functions that have failed for what is stored. */
  get failures(): IndexFailures {
    return this.#failures;
  }

  /**
   * @param followed what the resourceVersion follows; nothing within a transaction, which follows
   *   its last item
   * @throws {IndexFunctionError} without `onIndexError`
   */
  put(key: string, object: T | Cached<T>, followed?: unknown): Cached<T> | undefined {
    this.#checkWrite();
    const cached = asCached<T>(object);
    this.#prepare(this.#indexes, key, cached, this.#results, 0);
    const previous = this.#indexes.put(this.#entries, key, cached, this.#results, 0);
    this.follow(followed);
    // Without a hook nothing has failed: it would have been thrown.
    if (this.#note !== undefined && (this.#failed.length > 0 || !this.#failures.isEmpty)) {
      this.#report(this.#failures.update(key, this.#takeFailed()));
    }
    return previous;
  }

  /** Does the writes of a transaction; hooks are called after the last of them. */
  transact(write: () => void): void {
    // Those of an index function are refused one by one.
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

  /** @throws {IndexFunctionError} without `onIndexError` */
  replace(objects: ReadonlyMap<string, T | Cached<T>>, resourceVersion: string): void {
    this.#checkWrite();
    // First everything that can fail. Then in place: most relists bring what is there already.
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
   * @throws {InvalidOptionsError} if one is no function; none is added then
   * @throws {IndexConflictError} if a name is taken; none is added then
   * @throws {IndexFunctionError} without `onIndexError`, if an index function throws; none is added
   *   then
   */
  addIndexers(indexers: Readonly<Record<string, IndexFunction<T>>>): void {
    this.#checkWrite();
    const added = Object.entries(indexers);
    for (const [name, indexFunction] of added) {
      checkFunctions("indexers", { [name]: indexFunction }, [name]);
    }
    const conflicts = added.map(([name]) => name).filter((name) => this.#indexes.has(name));
    if (conflicts.length > 0) throw new IndexConflictError(conflicts);
    this.#report(this.#addIndexes(this.#indexes, added, this.#entries, this.#failures));
  }

  /** Calls one index function, outside of a write. What it throws passes through. */
  query(name: string, object: T | Cached<T>): readonly IndexValue[] {
    const { indexFunction } = this.#indexes.get(name);
    return valuesOf(this.#evaluate(() => indexFunction(asCached(object))));
  }

  bookmark(resourceVersion: string): void {
    this.#checkWrite();
    if (this.#trackResourceVersion) this.#resourceVersion = resourceVersion;
  }

  /** Follows the resourceVersion of what was written; without metadata it stays as it is. */
  follow(object: unknown): void {
    if (!this.#trackResourceVersion) return;
    this.#resourceVersion = resourceVersionOf(object) ?? this.#resourceVersion;
  }

  /** @throws {NestedWriteError} if an index function is running */
  #checkWrite(): void {
    if (this.#isEvaluating) throw new NestedWriteError();
  }

  #remove(key: string, entry: Entry<T>): void {
    this.#indexes.remove(entry);
    this.#entries.delete(key);
  }

  /** Everything in a write that can fail; `results` gets what the index functions give, from `at`. */
  #prepare(
    indexes: IndexSet<T>,
    key: string,
    object: Cached<T>,
    results: IndexResult[],
    at: number,
  ): void {
    if (indexes.size > 0) {
      // Not a call of #evaluate, which would make a function for each object.
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
      // What index functions failed for is not stored, and belongs to no later write.
      this.#failed = [];
      throw error;
    }
  }

  /** Lets an index function run that may only read; it may do so within another one. */
  #evaluate<R>(run: () => R): R {
    const isNested = this.#isEvaluating;
    this.#isEvaluating = true;
    try {
      return run();
    } finally {
      this.#isEvaluating = isNested;
    }
  }

  /** Adds indexes to entries, and to `failures` what fails; returns what is kept of that. */
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

  /** Only after the write, so that the hook finds what it is called about. */
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
