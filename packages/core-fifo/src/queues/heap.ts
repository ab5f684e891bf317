import { BinaryHeap } from "../base/binary-heap.ts";
import { ListwatchError } from "../base/errors.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import { computeKey } from "./object-key.ts";
import { PopWaiters } from "./pop-waiters.ts";
import { QueueClosedError, type PopOptions } from "./queue.ts";

/** Options of {@link Heap}. */
export interface HeapOptions<T> {
  /**
   * Whether `a` leaves the heap before `b`. Must be a strict order, and not change while both are
   * in the heap.
   */
  readonly less: (a: T, b: T) => boolean;
  /** @default metaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
}

/** An object in the heap, and its place there. */
interface Entry<T> {
  readonly key: string;
  object: T;
  index: number;
}

/**
 * A priority queue with keys: the least object leaves first, and any object can be replaced or
 * deleted by its key.
 *
 * Writes, deletes and pops are O(log n), reads by key O(1). Not guaranteed: an order among equal
 * objects. After {@link Heap.close} nothing can be added, and what is there can still be popped.
 *
 * ```ts
 * import { Heap } from "@listwatch/core-fifo";
 *
 * interface Task {
 *   name: string;
 *   dueMs: number;
 * }
 * const tasks = new Heap<Task>({
 *   keyFunc: (task) => task.name,
 *   less: (a, b) => a.dueMs < b.dueMs,
 * });
 * tasks.add({ name: "later", dueMs: 20 });
 * tasks.add({ name: "soon", dueMs: 10 });
 * console.assert((await tasks.pop()).name === "soon");
 * ```
 */
export class Heap<T = KubernetesObject> {
  readonly #keyFunc: KeyFunction<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #heap: BinaryHeap<Entry<T>>;
  readonly #consumers = new PopWaiters(() => this.#heap.length > 0);

  constructor(options: HeapOptions<T>) {
    const { less } = options;
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
    this.#heap = new BinaryHeap<Entry<T>>({
      isBefore: (a, b) => less(a.object, b.object),
      onMove: (entry, index) => (entry.index = index),
    });
  }

  /** How many objects wait. */
  get length(): number {
    return this.#heap.length;
  }

  get isClosed(): boolean {
    return this.#consumers.isClosed;
  }

  /**
   * Adds an object, or replaces the one with its key and moves it to its new place.
   *
   * @throws {KeyError} if the object has no key
   * @throws {QueueClosedError} if the heap is closed
   */
  add(object: T): void {
    const key = this.#keyOf(object);
    this.#checkOpen();
    this.#put(key, object);
  }

  /**
   * The same as {@link Heap.add}.
   *
   * @throws {KeyError} if the object has no key
   * @throws {QueueClosedError} if the heap is closed
   */
  update(object: T): void {
    this.add(object);
  }

  /**
   * Adds many objects before any waiting consumer gets one.
   *
   * @throws {QueueClosedError} if the heap is closed
   * @throws {KeyError} if an object has no key; those before it are in the heap, those after it are
   *   not
   */
  bulkAdd(objects: Iterable<T>): void {
    this.#checkOpen();
    for (const object of objects) this.#put(this.#keyOf(object), object);
  }

  /**
   * Adds an object unless there is one with its key.
   *
   * @throws {KeyError} if the object has no key
   * @throws {QueueClosedError} if the heap is closed
   */
  addIfNotPresent(object: T): void {
    const key = this.#keyOf(object);
    this.#checkOpen();
    if (!this.#entries.has(key)) this.#put(key, object);
  }

  /**
   * Takes the object with the key of `object` out.
   *
   * @throws {KeyError} if `object` has no key
   * @throws {ListwatchError} with the code `LW_KEY_NOT_FOUND` if there is none
   */
  delete(object: T): void {
    const key = this.#keyOf(object);
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      const message = `Cannot find an object with the key ${JSON.stringify(key)}`;
      throw new ListwatchError("LW_KEY_NOT_FOUND", message);
    }
    this.#entries.delete(key);
    this.#heap.removeAt(entry.index);
  }

  /**
   * Takes the least object. Returns it at once, without a promise, when there is one; otherwise one
   * promise per waiting consumer.
   *
   * @throws {QueueClosedError} once the heap is closed and empty
   * @throws the signal's reason when it is aborted before an object comes
   */
  pop(options?: PopOptions): T | Promise<T> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const least = this.#heap.pop();
    if (least === undefined) return this.#consumers.wait(() => this.pop(), signal);
    this.#entries.delete(least.key);
    return least.object;
  }

  /** Ends the heap: waiting pops fail, what is there can still be popped. Idempotent. */
  close(): void {
    this.#consumers.close();
  }

  /** Pops one object after the other until the heap is closed and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined> {
    for (;;) {
      let object: T;
      try {
        object = await this.pop();
      } catch (error) {
        if (error instanceof QueueClosedError) return undefined;
        throw error;
      }
      yield object;
    }
  }

  /** The objects in the heap, in no particular order. */
  list(): T[] {
    return Array.from(this.#heap, ({ object }) => object);
  }

  /** The keys in the heap, in no particular order. */
  listKeys(): string[] {
    return Array.from(this.#entries.keys());
  }

  /**
   * The object in the heap with the key of `object`.
   *
   * @throws {KeyError} if `object` has no key
   */
  get(object: T): T | undefined {
    return this.getByKey(this.#keyOf(object));
  }

  /** The object in the heap with this key. */
  getByKey(key: string): T | undefined {
    return this.#entries.get(key)?.object;
  }

  #keyOf(object: T): string {
    return computeKey(this.#keyFunc, object);
  }

  #checkOpen(): void {
    if (this.isClosed) throw new QueueClosedError("Cannot add to the heap: it is closed");
  }

  #put(key: string, object: T): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      const added: Entry<T> = { key, object, index: -1 };
      this.#entries.set(key, added);
      this.#heap.push(added);
    } else {
      entry.object = object;
      this.#heap.update(entry.index, entry);
    }
    this.#consumers.notify();
  }
}
