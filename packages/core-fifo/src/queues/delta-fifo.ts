import type { Cached } from "../base/cached.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { Deque } from "../base/deque.ts";
import { isPromiseLike, isInstance } from "../base/values.ts";
import { KeyError, type ListwatchError } from "../base/errors.ts";
import {
  objectOf,
  type DeletedDelta,
  type ObjectDelta,
  DeletedFinalStateUnknown,
} from "../delta/delta.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import type { Transform } from "../base/user-functions.ts";
import { InitialList } from "./initial-list.ts";
import { iterate } from "./iterate.ts";
import {
  asKnownObjects,
  listTombstones,
  listUnqueued,
  lookUp,
  type KnownObjects,
} from "./known-objects.ts";
import { KeyDeltas } from "./key-deltas.ts";
import { computeDeletionHandlingKey, transformKeyed } from "./object-key.ts";
import { PopWaiters } from "./pop-waiters.ts";
import {
  RequeueError,
  type PopOptions,
  type PoppedDeltas,
  type PopProcessor,
  type Queue,
  queueTable,
} from "./queue.ts";
import { observe, slowMs, type QueueObserver } from "./queue-observer.ts";
import { signalIn, checkOptions, aBoolean, type OptionsOf } from "../base/options.ts";

/** Options of {@link DeltaFIFO}. */
export interface DeltaFIFOOptions<T> {
  /**
   * Computes the key of an object. The deltas of a key are delivered together.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Cache behind the queue. With it, a replace also finds known objects that are gone, deletes of
   * known objects are queued, and resyncs work. Without it, only queued objects are known. Any
   * store fits. A queue that takes its type from the store delivers read-only objects, a
   * `DeltaFIFO<Pod>` pods.
   *
   * @default none
   */
  readonly knownObjects?: KnownObjects<T> | NoInfer<KnownObjects<Cached<T>>> | undefined;
  /**
   * Whether the objects of a replace are queued as `Replaced`. Otherwise as `Sync`, like those of a
   * resync.
   *
   * @default false
   */
  readonly emitDeltaTypeReplaced?: boolean | undefined;
  /** Changes every written object once, except tombstones and objects of a resync. @default none */
  readonly transform?: Transform<T> | undefined;
  /** Name of the queue in errors and metrics. @default "DeltaFIFO" */
  readonly name?: string | undefined;
  /** Observes the queue, for metrics and logs. @default none */
  readonly observer?: QueueObserver | undefined;
  /** Measures the time of processors, for the observer. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Called with every failed lookup in `knownObjects`. The queue continues without the object.
   *
   * @default none
   */
  readonly onError?: ((error: ListwatchError) => void) | undefined;
}

const deltaFIFOTable: OptionsOf<DeltaFIFOOptions<never>> = {
  ...queueTable,
  emitDeltaTypeReplaced: aBoolean,
};

/**
 * Number of keys up to which a popped entry stays in the map, about 100 bytes each. Most changed
 * objects change again, and finding an entry costs less than half of deleting and setting it (24 ns
 * to 61 ns in a map of 10,000 in Node).
 */
const keptEntries = 16_384;

type KeyedDelete<T> = DeletedDelta<T> & { readonly key: string };

/**
 * A queue that groups changes by object: a key has one place in the queue, and a pop delivers all
 * changes of its object since the last pop, oldest first.
 *
 * Two consecutive deletes collapse into one; a delete that has the object wins. Nothing else is
 * merged. A processor that throws consumes its item, unless it throws a {@link RequeueError}.
 * Writes and pops are O(1) amortised, a replace and a resync O(n). Not guaranteed: the order of the
 * deletions that a replace finds.
 *
 * ```ts
 * import { DeltaFIFO } from "@listwatch/core-fifo";
 *
 * const queue = new DeltaFIFO({ keyFunc: (pod: { name: string; value: number }) => pod.name });
 * queue.add({ name: "a", value: 1 });
 * queue.add({ name: "b", value: 1 });
 * queue.update({ name: "a", value: 2 });
 * await queue.pop((deltas) => {
 *   console.assert(deltas.map((delta) => delta.type).join() === "Added,Updated");
 * });
 * ```
 */
export class DeltaFIFO<T = KubernetesObject> implements Queue<T, readonly ObjectDelta<T>[]> {
  /** Name of the queue in errors and metrics. */
  readonly name: string;
  readonly #keyFunc: KeyFunction<T>;
  readonly #knownObjects: KnownObjects<T> | undefined;
  readonly #listType: "Replaced" | "Sync";
  readonly #transform: Transform<T> | undefined;
  readonly #observer: QueueObserver | undefined;
  readonly #clock: Clock;
  readonly #onError: (error: ListwatchError) => void;
  /**
   * ```
   *   entries   "a" ──▶ deltas of "a": Added, Updated ◀── queued ── its place
   *             "b" ──▶ no deltas                            idle: popped, kept for the next write
   * ```
   *
   * Invariant: the deltas of a key are queued, once, exactly while there are any. They are then
   * also in the map.
   */
  readonly #entries = new Map<string, KeyDeltas<T>>();
  readonly #queued = new Deque<KeyDeltas<T>>();
  readonly #initialList = new InitialList();
  readonly #consumers = new PopWaiters(() => this.#queued.length > 0);

  constructor(options: DeltaFIFOOptions<T> = {}) {
    checkOptions(options, deltaFIFOTable);
    this.name = options.name ?? "DeltaFIFO";
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#knownObjects = asKnownObjects<T>(options.knownObjects);
    this.#listType = options.emitDeltaTypeReplaced === true ? "Replaced" : "Sync";
    this.#transform = options.transform;
    this.#observer = options.observer;
    this.#clock = options.clock ?? systemClock;
    this.#onError = options.onError ?? (() => {});
  }

  /** Returns the transform of written objects, as client-go's `Transformer` does. */
  transformer(): Transform<T> | undefined {
    return this.#transform;
  }

  /** Number of waiting keys. */
  get length(): number {
    return this.#queued.length;
  }

  /** Whether the queue was closed. Its remaining items can still be popped. */
  get isClosed(): boolean {
    return this.#consumers.isClosed;
  }

  get hasSynced(): boolean {
    return this.#initialList.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#initialList.synced;
  }

  /**
   * Queues an `Added` delta of the transformed object.
   *
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  add(object: T): void {
    this.#initialList.populate(0);
    this.#write("Added", object, this.#keyOf(object));
  }

  /**
   * Queues an `Updated` delta of the transformed object, even of an unknown object.
   *
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  update(object: T): void {
    this.#initialList.populate(0);
    this.#write("Updated", object, this.#keyOf(object));
  }

  /**
   * Queues a deletion. Does nothing if the object is neither queued nor known. A failing lookup
   * counts as known.
   *
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  delete(object: T | DeletedFinalStateUnknown<T>): void {
    const key = this.#keyOf(object);
    this.#initialList.populate(0);
    if (!this.#isQueued(key) && !this.#isKnown(key)) return;
    if (object instanceof DeletedFinalStateUnknown) {
      this.#queue(key, { type: "Deleted", key, object });
    } else {
      this.#write("Deleted", object, key);
    }
  }

  /**
   * Queues the list, then a tombstone for each queued or known object that it lacks. After an
   * error, earlier objects stay queued and the queue is not synced.
   *
   * @throws {KeyError} if an object has no key
   * @throws {TransformError} if the transform throws
   */
  replace(objects: readonly T[], _resourceVersion: string): void {
    const listed = new Set<string>();
    for (const object of objects) {
      const key = this.#keyOf(object);
      listed.add(key);
      this.#write(this.#listType, object, key);
    }
    const gone = this.#tombstonesOfMissing(listed);
    for (const tombstone of gone) this.#queue(tombstone.key, tombstone);
    this.#initialList.populate(listed.size + gone.length);
  }

  /** Queues all known objects that are not queued. Does nothing without `knownObjects`. */
  resync(): void {
    const knownObjects = this.#knownObjects;
    if (knownObjects === undefined) return;
    const isQueued = (key: string): boolean => this.#isQueued(key);
    for (const known of listUnqueued(knownObjects, isQueued, this.#onError)) {
      this.#queue(known.key, { type: "Sync", ...known });
    }
  }

  /**
   * Puts popped deltas back at the end. Does nothing if their key is queued again, because the
   * queued deltas are newer. They are neither transformed nor merged.
   *
   * @throws {KeyError} if there is no delta, or its object has no key
   */
  addIfNotPresent(deltas: readonly ObjectDelta<T>[]): void {
    const key = this.keyOf(deltas);
    this.#initialList.populate(0);
    if (this.#isQueued(key)) return;
    this.#push(key, this.#entries.get(key), deltas);
  }

  pop(
    process: PopProcessor<T, readonly ObjectDelta<T>[]>,
    options?: PopOptions,
  ): readonly ObjectDelta<T>[] | Promise<readonly ObjectDelta<T>[]> {
    const signal = signalIn(options);
    signal?.throwIfAborted();
    const entry = this.#queued.shift();
    if (entry === undefined) return this.#consumers.wait(() => this.pop(process), signal);
    const { key } = entry;
    const deltas = entry.take();
    if (this.#entries.size > keptEntries) this.#entries.delete(key);
    const isInInitialList = !this.#initialList.hasSynced;
    // Counted before the processor runs, unlike in the other queues.
    this.#initialList.finish(this.#initialList.take(1));
    const observer = this.#observer;
    observer?.lengthChanged?.(this.#queued.length);
    const run =
      observer === undefined ? process : observe(process, this, observer, this.#clock, slowMs);
    // Inline and without an object for failures: this is half the cost of a pop.
    let outcome: void | Promise<void>;
    try {
      outcome = run(deltas, isInInitialList);
    } catch (error) {
      this.#requeue(key, deltas, error);
      return deltas;
    }
    return isPromiseLike(outcome) ? this.#finishLater(outcome, key, deltas) : deltas;
  }

  close(): void {
    this.#consumers.close();
  }

  /** Pops items until the queue is closed and empty. */
  [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T, ObjectDelta<T>>, undefined> {
    return iterate<readonly ObjectDelta<T>[], PoppedDeltas<T, ObjectDelta<T>>>(
      (process) => this.pop(process),
      (deltas, isInInitialList) => ({ deltas, isInInitialList }),
    );
  }

  /**
   * Returns the key of an object, of a tombstone, or of the newest of several deltas. An array
   * counts as deltas.
   *
   * @throws {KeyError} if there is none
   */
  keyOf(object: T | DeletedFinalStateUnknown<T> | readonly ObjectDelta<T>[]): string {
    if (!isDeltas(object)) return this.#keyOf(object);
    const newest = object.at(-1);
    if (newest === undefined) {
      throw new KeyError(object, {
        cause: new RangeError("expected at least one delta"),
      });
    }
    return this.#keyOf(newest.object);
  }

  /** Returns the newest state of each queued object, in queue order; tombstones included. */
  list(): (T | DeletedFinalStateUnknown<T>)[] {
    const objects: (T | DeletedFinalStateUnknown<T>)[] = [];
    for (const { newest } of this.#queued) {
      if (newest !== undefined) objects.push(newest.object);
    }
    return objects;
  }

  /** Returns the queued keys, in queue order. */
  listKeys(): string[] {
    return Array.from(this.#queued, ({ key }) => key);
  }

  /**
   * Returns a snapshot of the deltas queued for the key of `object`.
   *
   * @throws {KeyError} if the object has no key
   */
  get(object: T | DeletedFinalStateUnknown<T>): readonly ObjectDelta<T>[] | undefined {
    return this.getByKey(this.#keyOf(object));
  }

  /** Returns a snapshot of the deltas queued for `key`. */
  getByKey(key: string): readonly ObjectDelta<T>[] | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.count === 0 ? undefined : entry.list();
  }

  #keyOf(object: T | DeletedFinalStateUnknown<T>): string {
    return computeDeletionHandlingKey(this.#keyFunc, object);
  }

  #isQueued(key: string): boolean {
    return (this.#entries.get(key)?.count ?? 0) > 0;
  }

  #isKnown(key: string): boolean {
    if (this.#knownObjects === undefined) return false;
    return lookUp(this.#knownObjects, key, this.#onError).status !== "absent";
  }

  #write(type: ObjectDelta<T>["type"], object: T, key: string): void {
    if (this.#transform === undefined) {
      this.#queue(key, { type, key, object });
      return;
    }
    const after = transformKeyed(object, key, this.#transform, this.#keyFunc);
    this.#queue(key, { type, key: after.key, object: after.object });
  }

  #queue(key: string, delta: ObjectDelta<T>): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.count > 0) entry.add(delta);
    else this.#push(key, entry, [delta]);
  }

  /** @param idle existing entry of the key, if any */
  #push(key: string, idle: KeyDeltas<T> | undefined, deltas: readonly ObjectDelta<T>[]): void {
    let entry = idle;
    if (entry === undefined) {
      entry = new KeyDeltas(key);
      this.#entries.set(key, entry);
    }
    for (const delta of deltas) entry.append(delta);
    this.#queued.push(entry);
    this.#observer?.lengthChanged?.(this.#queued.length);
    this.#consumers.notify();
  }

  #tombstonesOfMissing(listed: ReadonlySet<string>): KeyedDelete<T>[] {
    const gone: KeyedDelete<T>[] = [];
    for (const { key, newest } of this.#queued) {
      if (newest !== undefined && !listed.has(key)) {
        const tombstone = new DeletedFinalStateUnknown(key, objectOf(newest));
        gone.push({ type: "Deleted", key, object: tombstone });
      }
    }
    if (this.#knownObjects !== undefined) {
      const isListedOrQueued = (key: string): boolean => listed.has(key) || this.#isQueued(key);
      const known = listTombstones(this.#knownObjects, isListedOrQueued, this.#onError);
      for (const tombstone of known) gone.push(tombstone);
    }
    return gone;
  }

  async #finishLater(
    outcome: PromiseLike<unknown>,
    key: string,
    deltas: ObjectDelta<T>[],
  ): Promise<readonly ObjectDelta<T>[]> {
    try {
      await outcome;
    } catch (error) {
      this.#requeue(key, deltas, error);
    }
    return deltas;
  }

  #requeue(key: string, deltas: ObjectDelta<T>[], error: unknown): void {
    if (!isInstance(error, RequeueError)) throw error;
    if (!this.#isQueued(key)) this.#push(key, this.#entries.get(key), deltas);
    if (error.cause !== undefined) throw error.cause;
  }
}

function isDeltas<T>(
  value: T | DeletedFinalStateUnknown<T> | readonly ObjectDelta<T>[],
): value is readonly ObjectDelta<T>[] {
  return Array.isArray(value);
}
