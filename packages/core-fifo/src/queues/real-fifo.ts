import { systemClock, type Clock } from "../base/clock.ts";
import type { Delta, Deltas, ObjectDelta } from "../delta/delta.ts";
import type { ListwatchError } from "../base/errors.ts";
import { KeyError, TransformError } from "../delta/errors.ts";
import { computeKey } from "./compute-key.ts";
import { CapacityLatch } from "../base/capacity-latch.ts";
import { InitialList } from "./initial-list.ts";
import { iterate } from "./iterate.ts";
import { processItem } from "./process-item.ts";
import { newestByKey, objectOf, tombstonesOfKnown } from "./relist.ts";
import { Deque } from "../base/deque.ts";
import { keyIfAny, transformed } from "./transformed.ts";
import { WaitingLine } from "./pop-waiters.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import { lookUp, type KnownObjects } from "./known-objects.ts";
import type { KubernetesObject } from "../delta/kubernetes-object.ts";
import type { PopOptions, PoppedDeltas, PopProcessor, Queue } from "./queue.ts";
import { observed, startReport, type QueueObserver } from "./queue-observer.ts";
import {
  checkedOptions,
  maxBatchKeys,
  type PopBatchOptions,
  type RealFIFOOptions,
  type TakeBatchOptions,
} from "./real-fifo-options.ts";
import { DeletedFinalStateUnknown } from "../delta/tombstone.ts";
import { applyTransform, type Transform } from "../delta/transform.ts";

/**
 * The queue of informers: every change is delivered, in the order in which it was written. Nothing
 * is merged, dropped or moved (RF-1).
 *
 * Writes and pops are O(1) amortised at any depth. A processor that fails consumes its item; the
 * queue stays usable (RF-12). Not guaranteed: which of several waiting consumers gets an item.
 *
 * ```ts
 * import { RealFIFO } from "@listwatch/core-fifo";
 *
 * const queue = new RealFIFO<{ name: string; value: number }>({ keyFunc: (pod) => pod.name });
 * queue.replace([{ name: "a", value: 1 }], "10");
 * queue.update({ name: "a", value: 2 });
 * await queue.pop(([delta]) => console.assert(delta?.type === "ReplacedAll"));
 * console.assert(queue.hasSynced);
 * await queue.pop(([delta]) => console.assert(delta?.type === "Updated"));
 * ```
 */
export class RealFIFO<T = KubernetesObject> implements Queue<T> {
  readonly name: string;
  readonly #keyFunc: KeyFunction<T>;
  readonly #transform: Transform<T> | undefined;
  /** Present exactly when events are not atomic. */
  readonly #knownObjects: KnownObjects<T> | undefined;
  readonly #emitBookmarks: boolean;
  readonly #checkKeys: boolean;
  readonly #highWaterMark: number;
  readonly #observer: QueueObserver | undefined;
  readonly #clock: Clock;
  readonly #onError: (error: ListwatchError) => void;
  readonly #ring = new Deque<Delta<T>>();
  readonly #initialList = new InitialList();
  /** The batch that was taken and is not finished. */
  #taken: { readonly initialCount: number; readonly report: (() => void) | undefined } | undefined;
  readonly #consumers = new WaitingLine(() => this.#ring.length > 0);
  readonly #capacity = new CapacityLatch();

  /** @throws {InvalidOptionsError} if the options exclude each other */
  constructor(options: RealFIFOOptions<T> = {}) {
    const { emitBookmarks, highWaterMark } = checkedOptions(options);
    this.name = options.name ?? "RealFIFO";
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#transform = options.transform;
    this.#knownObjects = options.knownObjects;
    this.#emitBookmarks = emitBookmarks;
    this.#checkKeys = options.checkKeys ?? true;
    this.#highWaterMark = highWaterMark;
    this.#observer = options.observer;
    this.#clock = options.clock ?? systemClock;
    this.#onError = options.onError ?? (() => {});
  }

  /** How many deltas wait. */
  get length(): number {
    return this.#ring.length;
  }

  get isClosed(): boolean {
    return this.#consumers.isClosed;
  }

  get hasSynced(): boolean {
    return this.#initialList.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#initialList.synced;
  }

  /** Whether fewer deltas wait than the high-water mark. */
  get hasCapacity(): boolean {
    return this.#ring.length < this.#highWaterMark;
  }

  /**
   * Lets a producer wait until the consumer has caught up, so that the queue does not grow without
   * limit; the writes themselves never wait. `undefined` while there is capacity. A closed queue
   * makes nobody wait.
   *
   * @throws the signal's reason when it is aborted before
   */
  waitForCapacity(signal?: AbortSignal): Promise<void> | undefined {
    return this.hasCapacity || this.isClosed ? undefined : this.#capacity.wait(signal);
  }

  /**
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  add(object: T): void {
    this.#write("Added", object);
  }

  /**
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  update(object: T): void {
    this.#write("Updated", object);
  }

  /**
   * Queues a deletion, also of an object that was never seen.
   *
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  delete(object: T | DeletedFinalStateUnknown<T>): void {
    if (object instanceof DeletedFinalStateUnknown) {
      this.#initialList.populate(0);
      this.#append({ type: "Deleted", key: object.key, object });
    } else {
      this.#write("Deleted", object);
    }
  }

  /**
   * With `atomicEvents` and `checkKeys` an object that has no key, or whose transform throws, is
   * reported and left out: one bad object must not keep all others from ever being replaced.
   *
   * @throws {TransformError} if the transform throws; with `atomicEvents`, where only `checkKeys:
   *   false` lets it throw, nothing is queued then
   * @throws {KeyError} without `atomicEvents`, if an object has no key; nothing is queued then
   */
  replace(objects: readonly T[], resourceVersion: string): void {
    const failures: ListwatchError[] = [];
    if (this.#knownObjects === undefined) this.#replaceAll(objects, resourceVersion, failures);
    else this.#replaceEach(objects, this.#knownObjects);
    // RF-10: also what was queued before the first list counts as part of it.
    this.#initialList.populate(this.#ring.length);
    for (const failure of failures) this.#onError(failure);
  }

  /** @throws {KeyError} without `atomicEvents`, if a transform left a queued object without a key */
  resync(): void {
    if (this.#knownObjects === undefined) this.#append({ type: "SyncAll" });
    else this.#resyncEach(this.#knownObjects);
  }

  /** Notes that nothing changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    if (this.#emitBookmarks) this.#append({ type: "Bookmark", resourceVersion });
  }

  pop(process: PopProcessor<T>, options?: PopOptions): Deltas<T> | Promise<Deltas<T>> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const delta = this.#ring.shift();
    if (delta === undefined) return this.#consumers.wait(() => this.pop(process), signal);
    return this.#process(process, [delta]);
  }

  /**
   * Takes as many deltas as can be applied in one go: the longest run of deltas of distinct
   * objects, at most 1000, without mixing the first list with what follows it (RF-19). An atomic
   * replace, a resync and a bookmark go alone.
   *
   * One delta goes to `processSingle`, more go to `processBatch`. For batches that are also limited
   * in time, see {@link drain}.
   *
   * @throws {QueueClosedError} once the queue is closed and empty
   * @throws the signal's reason when it is aborted before an item comes
   * @throws what the processor throws; the whole batch is gone then
   */
  popBatch(
    processBatch: PopProcessor<T>,
    processSingle: PopProcessor<T>,
    options?: PopBatchOptions,
  ): Deltas<T> | Promise<Deltas<T>> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const first = this.#ring.shift();
    if (first === undefined) {
      const { maxKeys } = options ?? {};
      return this.#consumers.wait(
        () => this.popBatch(processBatch, processSingle, { maxKeys }),
        signal,
      );
    }
    const batch = this.#collectBatch(first, options?.maxKeys);
    return this.#process(batch.length === 1 ? processSingle : processBatch, batch);
  }

  /**
   * Takes what is there as a batch, by a direct call and without a wait: the same deltas as
   * {@link RealFIFO.popBatch}. `undefined` when nothing is there. The batch counts as finished with
   * {@link RealFIFO.finishBatch}, or when the next one is taken. For a single consumer.
   *
   * ```ts
   * import { RealFIFO } from "@listwatch/core-fifo";
   *
   * const queue = new RealFIFO<{ name: string }>({ keyFunc: (pod) => pod.name });
   * queue.replace([{ name: "a" }], "10");
   * const batch = queue.takeBatch();
   * console.assert(batch?.isInInitialList === true && batch.deltas.length === 1);
   * queue.finishBatch();
   * console.assert(queue.hasSynced);
   * ```
   */
  takeBatch(options: TakeBatchOptions = {}): PoppedDeltas<T> | undefined {
    this.finishBatch();
    const first = this.#ring.shift();
    if (first === undefined) return undefined;
    const deltas = this.#collectBatch(first, options.maxKeys);
    const isInInitialList = this.#initialList.isOpen;
    const initialCount = this.#noteTaken(deltas.length);
    const report = this.#observer && startReport(this, this.#observer, deltas.length, this.#clock);
    this.#taken = { initialCount, report };
    return { deltas, isInInitialList };
  }

  /** Counts the batch of the last {@link RealFIFO.takeBatch} as finished. Idempotent. */
  finishBatch(): void {
    const taken = this.#taken;
    if (taken === undefined) return;
    this.#taken = undefined;
    taken.report?.();
    this.#initialList.finish(taken.initialCount);
  }

  /**
   * Resolves when a delta is there, a microtask after the first write, so that a batch gets
   * everything that was written in one go. `undefined` while deltas are there.
   *
   * @throws {QueueClosedError} once the queue is closed and empty
   * @throws the signal's reason when it is aborted before
   */
  waitForDeltas(options: PopOptions = {}): Promise<void> | undefined {
    options.signal?.throwIfAborted();
    if (this.#ring.length > 0) return undefined;
    return this.#consumers.wait(() => {}, options.signal);
  }

  close(): void {
    this.#consumers.close();
    this.#capacity.open();
  }

  /** Pops one item after the other until the queue is closed and empty. */
  [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T>, undefined> {
    return iterate<Deltas<T>, PoppedDeltas<T>>(
      (process) => this.pop(process),
      (deltas, isInInitialList) => ({ deltas, isInInitialList }),
    );
  }

  #keyOf(object: T): string {
    // A queue of `unknown` may be given a tombstone anywhere, as in client-go.
    if (object instanceof DeletedFinalStateUnknown) return object.key;
    return computeKey(this.#keyFunc, object);
  }

  #write(type: ObjectDelta<T>["type"], object: T): void {
    this.#initialList.populate(0);
    this.#append(this.#delta(type, object));
  }

  #delta(type: ObjectDelta<T>["type"], object: T): ObjectDelta<T> {
    const key = this.#keyOf(object);
    const transform = this.#transform;
    if (transform === undefined || object instanceof DeletedFinalStateUnknown) {
      return { type, key, object };
    }
    return { type, ...transformed(object, key, transform, this.#keyFunc) };
  }

  #append(delta: Delta<T>): void {
    this.#ring.push(delta);
    this.#observer?.lengthChanged?.(this.#ring.length);
    this.#consumers.notify();
  }

  /**
   * Objects without a key, or whose transform throws, are left out and noted in `failures` (RF-2,
   * CTL-9).
   */
  #replaceAll(list: readonly T[], resourceVersion: string, failures: ListwatchError[]): void {
    const transform = this.#transform;
    const prepare = (object: T): T =>
      transform === undefined ? object : applyTransform(transform, object);
    if (!this.#checkKeys) {
      this.#append({ type: "ReplacedAll", objects: list.map(prepare), resourceVersion });
      return;
    }
    const objects: T[] = [];
    const keys: string[] = [];
    for (const listed of list) {
      try {
        const object = prepare(listed);
        keys.push(this.#keyOf(object));
        objects.push(object);
      } catch (error) {
        if (!(error instanceof KeyError || error instanceof TransformError)) throw error;
        failures.push(error);
      }
    }
    this.#append({ type: "ReplacedAll", objects, keys, resourceVersion });
  }

  /**
   * Deletions come first, then the list in its order (RF-7). An error midway leaves what is queued
   * already.
   */
  #replaceEach(list: readonly T[], knownObjects: KnownObjects<T>): void {
    const listed = new Set(list.map((object) => this.#keyOf(object)));
    const unkeyable = this.#firstUnkeyable();
    if (unkeyable !== undefined) throw new KeyError(objectOf(unkeyable));
    const queued = newestByKey(this.#ring);
    for (const [key, newest] of queued) {
      if (!listed.has(key) && newest.type !== "Deleted") {
        const tombstone = new DeletedFinalStateUnknown(key, newest.object);
        this.#append({ type: "Deleted", key, object: tombstone });
      }
    }
    const isListedOrQueued = (key: string): boolean => listed.has(key) || queued.has(key);
    for (const tombstone of tombstonesOfKnown(knownObjects, isListedOrQueued, this.#onError)) {
      this.#append(tombstone);
    }
    for (const object of list) this.#append(this.#delta("Replaced", object));
  }

  #resyncEach(knownObjects: KnownObjects<T>): void {
    const unkeyable = this.#firstUnkeyable();
    if (unkeyable !== undefined) throw new KeyError(unkeyable);
    const queued = newestByKey(this.#ring);
    for (const key of knownObjects.listKeys()) {
      // Something queued is newer than what is known: a resync must not bring the older state back.
      if (!queued.has(key)) {
        const known = lookUp(knownObjects, key, this.#onError);
        if (known.status === "found") this.#append({ type: "Sync", key, object: known.object });
      }
    }
  }

  /** A queue with an object that has lost its key cannot be compared with a list (RF-7, RF-9). */
  #firstUnkeyable(): Delta<T> | undefined {
    for (const delta of this.#ring) if (this.#isUnkeyable(delta)) return delta;
    return undefined;
  }

  /** `""` may also be the key of an object without a name, if the key function allows that. */
  #isUnkeyable(delta: Delta<T>): boolean {
    if (!("key" in delta) || delta.key !== "") return false;
    if (delta.object instanceof DeletedFinalStateUnknown) return false;
    return keyIfAny(delta.object, this.#keyFunc) === undefined;
  }

  #collectBatch(first: Delta<T>, maxKeys = maxBatchKeys): Deltas<T> {
    const batch = [first];
    // Without a second delta, the usual case when little happens, no set of keys is needed.
    if (this.#ring.length === 0 || !isBatchable(first) || this.#isUnkeyable(first)) return batch;
    const { untaken } = this.#initialList;
    const limit = Math.min(maxKeys, maxBatchKeys, untaken === 0 ? Infinity : untaken);
    const keys = new Set([first.key]);
    while (batch.length < limit) {
      const next = this.#ring.at(0);
      if (next === undefined || !isBatchable(next)) break;
      const isUnkeyable = this.#isUnkeyable(next);
      // A set that does not grow had the key already; asking it before would cost a second lookup.
      if (keys.add(next.key).size === batch.length && !isUnkeyable) break;
      this.#ring.shift();
      batch.push(next);
      // What has no key may be any object: nothing can follow it in the same batch (RF-21).
      if (isUnkeyable) break;
    }
    return batch;
  }

  /** Notes that deltas left the queue; returns how many of them belonged to the first list. */
  #noteTaken(count: number): number {
    const initialCount = this.#initialList.take(count);
    if (this.hasCapacity) this.#capacity.open();
    this.#observer?.lengthChanged?.(this.#ring.length);
    return initialCount;
  }

  #process(process: PopProcessor<T>, deltas: Deltas<T>): Deltas<T> | Promise<Deltas<T>> {
    const isInInitialList = this.#initialList.isOpen;
    const initialCount = this.#noteTaken(deltas.length);
    const observer = this.#observer;
    const run = observer === undefined ? process : observed(process, this, observer, this.#clock);
    return processItem(run, deltas, isInInitialList, this.#initialList, initialCount);
  }
}

/** A `ReplacedAll`, `SyncAll` or `Bookmark` concerns the whole collection and goes alone (RF-20). */
function isBatchable<T>(delta: Delta<T>): delta is ObjectDelta<T> {
  return "key" in delta;
}
