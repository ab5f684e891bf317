import { KeyNotFoundError, QueueClosedError } from "../delta/errors.ts";
import { computeKey } from "./compute-key.ts";
import { WaitingLine } from "./pop-waiters.ts";
import { metaNamespaceKey, type KeyFunction } from "../delta/keys.ts";
import type { KubernetesObject } from "../delta/kubernetes-object.ts";
import type { PopOptions } from "./queue.ts";

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

/** An object in the heap. `index` is its place in the tree, kept up to date by every move. */
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
  readonly #less: (a: T, b: T) => boolean;
  readonly #keyFunc: KeyFunction<T>;
  readonly #entries = new Map<string, Entry<T>>();
  /** The tree: the children of the entry at i are at 2i + 1 and 2i + 2, and neither is less than it. */
  readonly #tree: Entry<T>[] = [];
  readonly #consumers = new WaitingLine(() => this.#tree.length > 0);

  constructor(options: HeapOptions<T>) {
    this.#less = options.less;
    this.#keyFunc = options.keyFunc ?? ((object) => metaNamespaceKey(object));
  }

  /** How many objects wait. */
  get length(): number {
    return this.#tree.length;
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
   * @throws {KeyNotFoundError} if there is none
   */
  delete(object: T): void {
    const key = this.#keyOf(object);
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new KeyNotFoundError(key);
    this.#take(entry);
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
    const [least] = this.#tree;
    if (least === undefined) return this.#consumers.wait(() => this.pop(), signal);
    this.#take(least);
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
    return this.#tree.map((entry) => entry.object);
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
    if (this.isClosed) throw new QueueClosedError("Couldn't add to the heap: it is closed");
  }

  #put(key: string, object: T): void {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { key, object, index: this.#tree.length };
      this.#entries.set(key, entry);
      this.#tree.push(entry);
    } else {
      entry.object = object;
    }
    this.#restore(entry);
    this.#consumers.notify();
  }

  /** The last entry of the tree fills the gap. */
  #take(entry: Entry<T>): void {
    this.#entries.delete(entry.key);
    const last = this.#tree.pop();
    if (last === undefined || last === entry) return;
    this.#place(last, entry.index);
    this.#restore(last);
  }

  /** Moves an entry up or down until the order of the tree holds again. */
  #restore(entry: Entry<T>): void {
    for (let parent = this.#parentOf(entry); parent !== undefined; parent = this.#parentOf(entry)) {
      if (!this.#less(entry.object, parent.object)) break;
      this.#swap(entry, parent);
    }
    for (
      let child = this.#leastChildOf(entry);
      child !== undefined;
      child = this.#leastChildOf(entry)
    ) {
      if (!this.#less(child.object, entry.object)) break;
      this.#swap(entry, child);
    }
  }

  #parentOf(entry: Entry<T>): Entry<T> | undefined {
    return entry.index === 0 ? undefined : this.#tree[(entry.index - 1) >> 1];
  }

  #leastChildOf(entry: Entry<T>): Entry<T> | undefined {
    const left = this.#tree[2 * entry.index + 1];
    const right = this.#tree[2 * entry.index + 2];
    if (left === undefined || right === undefined) return left;
    return this.#less(right.object, left.object) ? right : left;
  }

  #swap(a: Entry<T>, b: Entry<T>): void {
    const { index } = a;
    this.#place(a, b.index);
    this.#place(b, index);
  }

  #place(entry: Entry<T>, index: number): void {
    entry.index = index;
    this.#tree[index] = entry;
  }
}
