import { ListwatchError } from "../base/errors.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../base/kubernetes-object.ts";
import { computeKey } from "../base/user-functions.ts";
import { PopWaiters } from "./pop-waiters.ts";
import { QueueClosedError, type PopOptions } from "./queue.ts";
import { signalIn, checkOptions, aFunction } from "../base/options.ts";

/** Options of {@link Heap}. */
export interface HeapOptions<T> {
  /**
   * Whether `a` leaves the heap before `b`. A strict order that does not change while both are in
   * the heap.
   */
  readonly less: (a: T, b: T) => boolean;
  /**
   * Computes the key of an object. The heap has at most one object of each key.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
}

/** An object in the heap, with its place in the array. */
interface Entry<T> {
  readonly key: string;
  object: T;
  place: number;
}

/**
 * A priority queue with keys: the smallest object leaves first, and objects can be replaced or
 * deleted by key.
 *
 * Writes, deletes and pops are O(log n), reads by key O(1). Not guaranteed: an order among equal
 * objects. After {@link Heap.close} nothing can be added; remaining objects can be popped.
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
  readonly #less: (a: T, b: T) => boolean;
  readonly #entries = new Map<string, Entry<T>>();
  /** The children of i are at 2i + 1 and 2i + 2, and none of them is before its parent. */
  readonly #heap: Entry<T>[] = [];
  readonly #consumers = new PopWaiters(() => this.#heap.length > 0);

  constructor(options: HeapOptions<T>) {
    checkOptions(options, { less: aFunction, keyFunc: aFunction }, ["less"]);
    this.#less = options.less;
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
  }

  /** Number of waiting objects. */
  get length(): number {
    return this.#heap.length;
  }

  /** Whether the heap was closed. Its remaining objects can still be popped. */
  get isClosed(): boolean {
    return this.#consumers.isClosed;
  }

  /**
   * Adds an object. If its key exists, replaces the object and moves it.
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
   * Same as {@link Heap.add}.
   *
   * @throws {KeyError} if the object has no key
   * @throws {QueueClosedError} if the heap is closed
   */
  update(object: T): void {
    this.add(object);
  }

  /**
   * Adds several objects before any waiting consumer gets one.
   *
   * @throws {QueueClosedError} if the heap is closed
   * @throws {KeyError} if an object has no key; earlier objects are in the heap, later ones are not
   */
  bulkAdd(objects: Iterable<T>): void {
    this.#checkOpen();
    for (const object of objects) this.#put(this.#keyOf(object), object);
  }

  /**
   * Adds an object unless its key exists.
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
   * Removes the object with the key of `object`.
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
    this.#remove(entry);
  }

  /**
   * Removes and returns the smallest object. If there is one, returns it at once, not as a promise.
   *
   * @throws {QueueClosedError} once the heap is closed and empty
   * @throws the reason of the signal if it is aborted before an object is added
   */
  pop(options?: PopOptions): T | Promise<T> {
    const signal = signalIn(options);
    signal?.throwIfAborted();
    const [least] = this.#heap;
    if (least === undefined) return this.#consumers.wait(() => this.pop(), signal);
    this.#remove(least);
    return least.object;
  }

  /** Closes the heap. Waiting pops fail; remaining objects can be popped. Idempotent. */
  close(): void {
    this.#consumers.close();
  }

  /** Pops objects until the heap is closed and empty. */
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

  /** Returns the objects in the heap, in no particular order. */
  list(): T[] {
    return Array.from(this.#heap, ({ object }) => object);
  }

  /** Returns the keys in the heap, in no particular order. */
  listKeys(): string[] {
    return Array.from(this.#entries.keys());
  }

  /**
   * Returns the object in the heap with the key of `object`.
   *
   * @throws {KeyError} if `object` has no key
   */
  get(object: T): T | undefined {
    return this.getByKey(this.#keyOf(object));
  }

  /** Returns the object in the heap with this key. */
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
      const added: Entry<T> = { key, object, place: this.#heap.length };
      this.#entries.set(key, added);
      this.#heap.push(added);
      this.#rise(added);
    } else {
      entry.object = object;
      this.#move(entry);
    }
    this.#consumers.notify();
  }

  #remove(entry: Entry<T>): void {
    this.#entries.delete(entry.key);
    const last = this.#heap.pop();
    if (last === undefined || last === entry) return;
    // The last one fills the gap. It may come from another branch and precede its new parent.
    this.#place(last, entry.place);
    this.#move(last);
  }

  /** Moves an entry whose object or place has changed. */
  #move(entry: Entry<T>): void {
    this.#rise(entry);
    this.#sink(entry);
  }

  #rise(entry: Entry<T>): void {
    while (entry.place > 0) {
      const parent = this.#heap[(entry.place - 1) >> 1];
      if (parent === undefined || !this.#less(entry.object, parent.object)) return;
      this.#swap(parent, entry);
    }
  }

  #sink(entry: Entry<T>): void {
    for (;;) {
      const child = this.#firstChild(entry.place);
      if (child === undefined || !this.#less(child.object, entry.object)) return;
      this.#swap(entry, child);
    }
  }

  /** Returns the child that leaves first. */
  #firstChild(place: number): Entry<T> | undefined {
    const left = this.#heap[2 * place + 1];
    const right = this.#heap[2 * place + 2];
    if (left === undefined || right === undefined) return left;
    return this.#less(right.object, left.object) ? right : left;
  }

  #swap(parent: Entry<T>, child: Entry<T>): void {
    const { place } = child;
    this.#place(child, parent.place);
    this.#place(parent, place);
  }

  #place(entry: Entry<T>, place: number): void {
    entry.place = place;
    this.#heap[place] = entry;
  }
}
