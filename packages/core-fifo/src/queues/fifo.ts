import { computeKey } from "../base/user-functions.ts";
import { InitialList } from "./initial-list.ts";
import { iterate } from "./iterate.ts";
import { processItem } from "./process-item.ts";
import { Deque } from "../base/deque.ts";
import { PopWaiters } from "./pop-waiters.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import { RequeueError, type PopOptions, type PopProcessor, type Queue } from "./queue.ts";
import { signalIn, checkOptions, aFunction, aString } from "../base/options.ts";
import { isInstance } from "../base/values.ts";

/** Options of {@link FIFO}. */
export interface FIFOOptions<T> {
  /**
   * Computes the key of an object. The queue has at most one object of each key.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /** Name of the queue in errors and metrics. @default "FIFO" */
  readonly name?: string | undefined;
}

/** An object delivered to a loop over a {@link FIFO}. */
export interface PoppedObject<T> {
  /** Newest object of its key. */
  readonly object: T;
  /** Whether the object belongs to the first list that was queued. */
  readonly isInInitialList: boolean;
}

/**
 * A queue that only keeps the newest object of each key: for consumers that need the current state,
 * not each change. A deleted object is never delivered.
 *
 * A queued key keeps its place when its object is replaced. Writes and pops are O(1) amortised. A
 * processor that throws consumes its object, unless it throws a {@link RequeueError}.
 *
 * ```ts
 * import { FIFO } from "@listwatch/core-fifo";
 *
 * const queue = new FIFO({ keyFunc: (pod: { name: string; value: number }) => pod.name });
 * queue.add({ name: "a", value: 1 });
 * queue.add({ name: "b", value: 1 });
 * queue.add({ name: "a", value: 2 });
 * await queue.pop((pod) => console.assert(pod.name === "a" && pod.value === 2));
 * console.assert(queue.length === 1);
 * ```
 */
export class FIFO<T = KubernetesObject> implements Queue<T, T> {
  /** Name of the queue in errors and metrics. */
  readonly name: string;
  readonly #keyFunc: KeyFunction<T>;
  readonly #objects = new Map<string, T>();
  /**
   * Contains every key of `#objects` at least once. A key without an object is stale: it was
   * deleted, or popped at an earlier place after a delete and a new add. There are at most twice as
   * many stale places as objects, plus 16.
   */
  readonly #places = new Deque<string>();
  readonly #initialList = new InitialList();
  /**
   * Stale keys of the first list that a pop skipped before it had to wait. They are counted by the
   * next add, update or delete, or at the end of the next pop, not by a replace. So a pop that a
   * replace ends belongs to the first list (client-go `Pop`, tools/cache/fifo.go).
   */
  #skippedInitial = 0;
  /** Stale keys of the first list that were removed between two pops. The next pop skips them. */
  #removedInitial = 0;
  readonly #consumers = new PopWaiters(() => this.#objects.size > 0);

  constructor(options: FIFOOptions<T> = {}) {
    checkOptions(options, { keyFunc: aFunction, name: aString });
    this.name = options.name ?? "FIFO";
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
  }

  /** Number of waiting objects. */
  get length(): number {
    return this.#objects.size;
  }

  /** Whether the queue was closed. Its remaining objects can still be popped. */
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
   * Queues an object. It replaces a queued object of the same key, at that object's place.
   *
   * @throws {KeyError} if the object has no key
   */
  add(object: T): void {
    const key = computeKey(this.#keyFunc, object);
    this.#noteWrite();
    this.#put(key, object);
  }

  /**
   * Same as {@link FIFO.add}.
   *
   * @throws {KeyError} if the object has no key
   */
  update(object: T): void {
    this.add(object);
  }

  /**
   * Removes the object from the queue, if it is queued.
   *
   * @throws {KeyError} if the object has no key; a tombstone only has one if the key function
   *   accepts tombstones
   */
  delete(object: T): void {
    const key = computeKey(this.#keyFunc, object);
    this.#noteWrite();
    this.#objects.delete(key);
    this.#giveUpStalePlaces();
  }

  /**
   * Queues an object if its key is not queued.
   *
   * @throws {KeyError} if the object has no key
   */
  addIfNotPresent(object: T): void {
    const key = computeKey(this.#keyFunc, object);
    this.#noteWrite();
    if (!this.#objects.has(key)) this.#put(key, object);
  }

  /**
   * Discards the queue and queues the list. If a key occurs twice, the last object wins.
   *
   * @throws {KeyError} if an object has no key; nothing changes then
   */
  replace(objects: readonly T[], _resourceVersion: string): void {
    const keyed = objects.map((object) => [computeKey(this.#keyFunc, object), object] as const);
    this.#objects.clear();
    this.#places.clear();
    for (const [key, object] of keyed) this.#put(key, object);
    this.#initialList.populate(this.#objects.size);
  }

  /** Does nothing: a FIFO only knows queued objects. */
  resync(): void {}

  pop(process: PopProcessor<T, T>, options?: PopOptions): T | Promise<T> {
    const signal = signalIn(options);
    signal?.throwIfAborted();
    const initialList = this.#initialList;
    const isInInitialList = !initialList.hasSynced;
    let initialCount = this.#skippedInitial + this.#removedInitial;
    this.#skippedInitial = 0;
    this.#removedInitial = 0;
    for (let key = this.#places.shift(); key !== undefined; key = this.#places.shift()) {
      initialCount += initialList.take(1);
      const object = this.#objects.get(key);
      if (object !== undefined) {
        this.#objects.delete(key);
        const recover = (error: unknown): void => this.#requeue(error, object);
        return processItem(process, object, isInInitialList, initialList, initialCount, recover);
      }
    }
    this.#skippedInitial = initialCount;
    return this.#consumers.wait(() => this.pop(process), signal);
  }

  close(): void {
    this.#consumers.close();
  }

  /** Pops objects until the queue is closed and empty. */
  [Symbol.asyncIterator](): AsyncGenerator<PoppedObject<T>, undefined> {
    return iterate<T, PoppedObject<T>>(
      (process) => this.pop(process),
      (object, isInInitialList) => ({ object, isInInitialList }),
    );
  }

  /** Returns the queued objects, in no particular order. */
  list(): T[] {
    return Array.from(this.#objects.values());
  }

  /** Returns the queued keys, in no particular order. */
  listKeys(): string[] {
    return Array.from(this.#objects.keys());
  }

  /**
   * Returns the queued object with the key of `object`.
   *
   * @throws {KeyError} if `object` has no key
   */
  get(object: T): T | undefined {
    return this.#objects.get(computeKey(this.#keyFunc, object));
  }

  /** Returns the queued object with this key. */
  getByKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  #noteWrite(): void {
    this.#initialList.populate(0);
    this.#initialList.finish(this.#skippedInitial);
    this.#skippedInitial = 0;
  }

  #put(key: string, object: T): void {
    if (!this.#objects.has(key)) this.#places.push(key);
    this.#objects.set(key, object);
    this.#consumers.notify();
  }

  /**
   * Without this, alternating adds and deletes of a key would leave a place each until the next
   * pop. Each run removes at least two thirds of the places, so it costs O(1) amortised.
   */
  #giveUpStalePlaces(): void {
    if (this.#places.length <= 3 * this.#objects.size + 16) return;
    const { untaken } = this.#initialList;
    const kept = new Set<string>();
    let index = 0;
    let staleInitial = 0;
    for (const key of this.#places) {
      if (this.#objects.has(key) && !kept.has(key)) kept.add(key);
      else if (index < untaken) staleInitial += 1;
      index += 1;
    }
    this.#places.clear();
    for (const key of kept) this.#places.push(key);
    this.#removedInitial += this.#initialList.take(staleInitial);
  }

  #requeue(error: unknown, object: T): void {
    if (!isInstance(error, RequeueError)) throw error;
    this.addIfNotPresent(object);
    if (error.cause !== undefined) throw error.cause;
  }
}
