import { CapacityLatch } from "../base/wait-queue.ts";
import { systemClock, type Clock } from "../base/clock.ts";
import { Deque } from "../base/deque.ts";
import type { ListwatchError } from "../base/errors.ts";
import {
  objectOf,
  type Delta,
  type Deltas,
  type ObjectDelta,
  type ReplacedAllDelta,
  DeletedFinalStateUnknown,
} from "../delta/delta.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import { maxBatchKeys } from "../base/batch-budget.ts";
import type { Transform } from "../base/user-functions.ts";
import { InitialList } from "./initial-list.ts";
import { iterate } from "./iterate.ts";
import {
  asKnownObjects,
  listTombstones,
  listUnqueued,
  type KnownObjects,
} from "./known-objects.ts";
import { computeDeletionHandlingKey, transformKeyed, type ReadList } from "./object-key.ts";
import { mapNewestByKey, takeRun } from "./queued-deltas.ts";
import { PopWaiters } from "./pop-waiters.ts";
import { processItem } from "./process-item.ts";
import type { PopOptions, PoppedDeltas, PopProcessor, Queue } from "./queue.ts";
import { observe, startReport, type QueueObserver } from "./queue-observer.ts";
import {
  resolveRealFIFOOptions,
  type PopBatchOptions,
  type RealFIFOOptions,
  type TakeBatchOptions,
  batchTable,
  takeTable,
} from "./real-fifo-options.ts";
import { checkOptions, signalIn } from "../base/options.ts";

/**
 * The queue of informers. Every change is delivered, in the order in which it was written. Nothing
 * is merged, dropped or moved.
 *
 * Writes and pops are O(1) amortised at any length. A processor that fails consumes its item; the
 * queue stays usable. Not guaranteed: which of several waiting consumers gets an item.
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
  /** Name of the queue in errors and metrics. */
  readonly name: string;
  readonly #keyFunc: KeyFunction<T>;
  readonly #transform: Transform<T> | undefined;
  /** Present exactly if replaces and resyncs are not atomic. */
  readonly #knownObjects: KnownObjects<T> | undefined;
  readonly #emitBookmarks: boolean;
  readonly #readList: ReadList;
  readonly #highWaterMark: number;
  readonly #observer: QueueObserver | undefined;
  readonly #clock: Clock;
  readonly #onError: (error: ListwatchError) => void;
  readonly #queued = new Deque<Delta<T>>();
  readonly #initialList = new InitialList();
  /** The batch of the last {@link RealFIFO.takeBatch}, until it is finished. */
  #unfinished:
    | { readonly initialCount: number; readonly report: (() => void) | undefined }
    | undefined;
  readonly #consumers = new PopWaiters(() => this.#queued.length > 0);
  readonly #capacity = new CapacityLatch();

  /** @throws {InvalidOptionsError} if the options exclude each other */
  constructor(options: RealFIFOOptions<T> = {}) {
    this.#readList = resolveRealFIFOOptions(options);
    this.name = options.name ?? "RealFIFO";
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#transform = options.transform;
    this.#knownObjects = asKnownObjects<T>(options.knownObjects);
    this.#emitBookmarks = options.emitBookmarks ?? options.knownObjects === undefined;
    this.#highWaterMark = options.highWaterMark ?? 2 * maxBatchKeys;
    this.#observer = options.observer;
    this.#clock = options.clock ?? systemClock;
    this.#onError = options.onError ?? (() => {});
  }

  /** Number of waiting deltas. */
  get length(): number {
    return this.#queued.length;
  }

  /** Whether the queue was closed. Its remaining deltas can still be popped. */
  get isClosed(): boolean {
    return this.#consumers.isClosed;
  }

  get hasSynced(): boolean {
    return this.#initialList.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#initialList.synced;
  }

  /** The transform of written objects, as client-go's `Transformer` returns it. */
  transformer(): Transform<T> | undefined {
    return this.#transform;
  }

  /** Whether fewer deltas wait than the high-water mark. */
  get hasCapacity(): boolean {
    return this.#queued.length < this.#highWaterMark;
  }

  /**
   * Lets a producer wait until the consumer has caught up, so that the queue stays bounded; writes
   * themselves never wait. Returns `undefined` while there is capacity, and on a closed queue.
   *
   * @throws the reason of the signal if it is aborted first
   */
  waitForCapacity(options?: PopOptions): Promise<void> | undefined {
    const signal = signalIn(options);
    return this.hasCapacity || this.isClosed ? undefined : this.#capacity.wait(signal);
  }

  /**
   * Queues an `Added` delta of the transformed object.
   *
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  add(object: T): void {
    this.#write("Added", object);
  }

  /**
   * Queues an `Updated` delta of the transformed object. Queued deltas of the object stay.
   *
   * @throws {KeyError} if the object has no key
   * @throws {TransformError} if the transform throws
   */
  update(object: T): void {
    this.#write("Updated", object);
  }

  /**
   * Queues a deletion, even of an unknown object.
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
   * Without `knownObjects`, an object that has no key or whose transform throws is reported and
   * skipped: one bad object must not prevent all others from being replaced.
   *
   * @throws {TransformError} if the transform throws; without `knownObjects` only with
   *   {@link
   *   clientGoQueueBehaviour}, and nothing is queued then
   * @throws {KeyError} with `knownObjects`, if an object has no key; nothing is queued then
   */
  replace(objects: readonly T[], resourceVersion: string): void {
    if (this.#knownObjects !== undefined) {
      this.#replaceEach(objects, this.#knownObjects);
      this.#initialList.populate(this.#queued.length);
      return;
    }
    const failures: ListwatchError[] = [];
    const list = this.#readList(objects, this.#keyFunc, this.#transform, failures);
    this.pushList({ type: "ReplacedAll", ...list, resourceVersion });
    for (const failure of failures) this.#onError(failure);
  }

  /**
   * Queues one `SyncAll` delta. With `knownObjects`, queues a `Sync` delta of each object that has
   * none queued.
   *
   * @throws {KeyError} with `knownObjects`, if a transform left a queued object without a key
   */
  resync(): void {
    if (this.#knownObjects === undefined) this.#append({ type: "SyncAll" });
    else this.#resyncEach(this.#knownObjects);
  }

  /** Records that nothing changed up to `resourceVersion`. */
  bookmark(resourceVersion: string): void {
    if (this.#emitBookmarks) this.#append({ type: "Bookmark", resourceVersion });
  }

  pop(process: PopProcessor<T>, options?: PopOptions): Deltas<T> | Promise<Deltas<T>> {
    const signal = signalIn(options);
    signal?.throwIfAborted();
    const delta = this.#queued.shift();
    if (delta === undefined) return this.#consumers.wait(() => this.pop(process), signal);
    return this.#process(process, [delta]);
  }

  /**
   * Takes as many deltas as can be applied at once: the longest run of deltas of distinct objects,
   * at most 1000, which does not mix the first list with later changes. An atomic replace, a resync
   * and a bookmark are taken alone.
   *
   * One delta is passed to `processSingle`, several to `processBatch`. For batches without
   * callbacks, see {@link RealFIFO.takeBatch}.
   *
   * @throws {QueueClosedError} once the queue is closed and empty
   * @throws the reason of the signal if it is aborted before an item is added
   * @throws the error of the processor; the whole batch is consumed
   */
  popBatch(
    processBatch: PopProcessor<T>,
    processSingle: PopProcessor<T>,
    options: PopBatchOptions = {},
  ): Deltas<T> | Promise<Deltas<T>> {
    checkOptions(options, batchTable);
    const { maxKeys, signal } = options;
    signal?.throwIfAborted();
    const deltas = this.#takeRun(maxKeys);
    if (deltas === undefined) {
      return this.#consumers.wait(
        () => this.popBatch(processBatch, processSingle, { maxKeys }),
        signal,
      );
    }
    return this.#process(deltas.length === 1 ? processSingle : processBatch, deltas);
  }

  /**
   * Takes queued deltas as a batch without waiting: the same deltas as {@link RealFIFO.popBatch}.
   * Returns `undefined` if the queue is empty. The batch counts as finished after
   * {@link
   * RealFIFO.finishBatch}, or when the next one is taken. For a single consumer.
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
  takeBatch(options?: TakeBatchOptions): PoppedDeltas<T> | undefined {
    if (options !== undefined) checkOptions(options, takeTable);
    this.finishBatch();
    const deltas = this.#takeRun(options?.maxKeys);
    if (deltas === undefined) return undefined;
    const isInInitialList = this.#initialList.isOpen;
    const initialCount = this.#countTaken(deltas);
    const report = this.#observer && startReport(this, this.#observer, deltas.length, this.#clock);
    this.#unfinished = { initialCount, report };
    return { deltas, isInInitialList };
  }

  /** Counts the batch of the last {@link RealFIFO.takeBatch} as finished. Idempotent. */
  finishBatch(): void {
    const unfinished = this.#unfinished;
    if (unfinished === undefined) return;
    this.#unfinished = undefined;
    unfinished.report?.();
    this.#initialList.finish(unfinished.initialCount);
  }

  /**
   * Resolves when there is a delta, one microtask after the first write, so that a batch contains
   * everything that was written in one go. Returns `undefined` if there are deltas already.
   *
   * @throws {QueueClosedError} once the queue is closed and empty
   * @throws the reason of the signal if it is aborted first
   */
  waitForDeltas(options?: PopOptions): Promise<void> | undefined {
    const signal = signalIn(options);
    signal?.throwIfAborted();
    if (this.#queued.length > 0) return undefined;
    return this.#consumers.wait(() => {}, signal);
  }

  close(): void {
    this.#consumers.close();
    this.#capacity.open();
  }

  /** Pops items until the queue is closed and empty. */
  [Symbol.asyncIterator](): AsyncGenerator<PoppedDeltas<T>, undefined> {
    return iterate<Deltas<T>, PoppedDeltas<T>>(
      (process) => this.pop(process),
      (deltas, isInInitialList) => ({ deltas, isInInitialList }),
    );
  }

  /** Queues a whole list, whose keys and transform a subclass has applied. */
  protected pushList(delta: ReplacedAllDelta<T>): void {
    this.#append(delta);
    // Items that were queued before the first list count as part of it.
    this.#initialList.populate(this.#queued.length);
  }

  /**
   * Returns the delta of a written object, with its key and after the transform; `undefined` if
   * nothing is queued.
   */
  protected createDelta(type: ObjectDelta<T>["type"], object: T): ObjectDelta<T> | undefined {
    const key = computeDeletionHandlingKey(this.#keyFunc, object);
    if (this.#transform === undefined) return { type, key, object };
    const after = transformKeyed(object, key, this.#transform, this.#keyFunc);
    return { type, key: after.key, object: after.object };
  }

  #write(type: ObjectDelta<T>["type"], object: T): void {
    this.#initialList.populate(0);
    this.#appendObject(type, object);
  }

  #appendObject(type: ObjectDelta<T>["type"], object: T): void {
    const delta = this.createDelta(type, object);
    if (delta !== undefined) this.#append(delta);
  }

  #append(delta: Delta<T>): void {
    this.#queued.push(delta);
    this.#observer?.lengthChanged?.(this.#queued.length);
    this.#consumers.notify();
  }

  /**
   * Deletions precede the list, as in client-go `Replace`, tools/cache/the_real_fifo.go. After an
   * error, earlier deltas stay queued.
   */
  #replaceEach(list: readonly T[], knownObjects: KnownObjects<T>): void {
    const listed = new Set(list.map((object) => computeDeletionHandlingKey(this.#keyFunc, object)));
    const queued = mapNewestByKey(this.#queued, objectOf);
    for (const [key, newest] of queued) {
      if (!listed.has(key) && newest.type !== "Deleted") {
        const object = new DeletedFinalStateUnknown(key, newest.object);
        this.#append({ type: "Deleted", key, object });
      }
    }
    const isListedOrQueued = (key: string): boolean => listed.has(key) || queued.has(key);
    for (const tombstone of listTombstones(knownObjects, isListedOrQueued, this.#onError)) {
      this.#append(tombstone);
    }
    for (const object of list) this.#appendObject("Replaced", object);
  }

  #resyncEach(knownObjects: KnownObjects<T>): void {
    // The error contains the delta here, as in client-go `Resync`.
    const queued = mapNewestByKey(this.#queued, (delta) => delta);
    for (const known of listUnqueued(knownObjects, (key) => queued.has(key), this.#onError)) {
      this.#append({ type: "Sync", ...known });
    }
  }

  /** Takes the deltas that leave the queue together; `undefined` if it is empty. */
  #takeRun(maxKeys = maxBatchKeys): Deltas<T> | undefined {
    const first = this.#queued.shift();
    if (first === undefined) return undefined;
    // With a single delta, the usual case at low rates, there is nothing to compare.
    if (maxKeys === 1 || this.#queued.length === 0) return [first];
    const { untaken } = this.#initialList;
    const limit = Math.min(maxKeys, maxBatchKeys);
    return takeRun(first, this.#queued, untaken === 0 ? limit : Math.min(limit, untaken));
  }

  /** Counts deltas that have left the queue. Returns how many belong to the first list. */
  #countTaken(deltas: Deltas<T>): number {
    if (this.hasCapacity) this.#capacity.open();
    this.#observer?.lengthChanged?.(this.#queued.length);
    return this.#initialList.take(deltas.length);
  }

  #process(process: PopProcessor<T>, deltas: Deltas<T>): Deltas<T> | Promise<Deltas<T>> {
    const list = this.#initialList;
    const isInInitialList = list.isOpen;
    const initialCount = this.#countTaken(deltas);
    const observer = this.#observer;
    const run = observer === undefined ? process : observe(process, this, observer, this.#clock);
    return processItem(run, deltas, isInInitialList, list, initialCount);
  }
}
