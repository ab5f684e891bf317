import { systemClock } from "@listwatch/core-fifo";
import { provideDispose, WaitQueue } from "@listwatch/core-fifo/base";
import {
  defaultControllerRateLimiter,
  type ItemKey,
  type RateLimiter,
} from "../limiters/rate-limiters.ts";
import { FifoOrdering, type QueueOrdering } from "../orderings/ordering.ts";
import { Delays } from "./delays.ts";
import { QueueRecorder } from "./queue-recorder.ts";
import { Entry, type WorkItem } from "./work-item.ts";
import {
  checkDelay,
  primitiveKey,
  priorityIn,
  type ItemKeyFunction,
  type PriorityOptions,
  type QueueWaitOptions,
  type WorkQueueOptions,
} from "./work-queue-options.ts";

provideDispose();

/**
 * A queue of work that does each item at most once at a time: what stands between event handlers
 * and workers (client-go util/workqueue, its plain, delaying and rate limiting queues in one).
 *
 * Guarantees: no item is in the hands of two workers. Adds of an item that waits merge into one;
 * any number of adds while it is processed make it be processed exactly once more, later. So every
 * add is followed by a processing that begins after it. An item is never queued before its time; of
 * two delays of an item the earlier counts. Every operation is O(1) with the default ordering, but
 * for delays, which are O(log n). An item that waits or is delayed takes about 120 bytes. Not
 * guaranteed: a limit of the length, or that an item survives the process.
 *
 * Iterating takes one item at a time and is done with it when it asks for the next; N loops are N
 * workers.
 *
 * ```ts
 * import { WorkQueue } from "@listwatch/workqueue";
 *
 * const queue = new WorkQueue<string>();
 * async function work(): Promise<void> {
 *   for await (const key of queue) {
 *     try {
 *       console.log("working on", key);
 *       queue.forget(key);
 *     } catch {
 *       queue.addRateLimited(key); // again in 5 ms, 10 ms, 20 ms, ...
 *     }
 *   }
 * }
 * const workers = Promise.all([work(), work()]);
 * for (const key of ["a", "b", "a"]) queue.add(key);
 * await queue.shutDownWithDrain();
 * await workers;
 * ```
 */
export class WorkQueue<T> implements Disposable {
  readonly #keyOf: ItemKeyFunction<T>;
  readonly #ordering: QueueOrdering<T>;
  readonly #rateLimiter: RateLimiter;
  readonly #delays: Delays<T>;
  readonly #areDelaysMerged: boolean;
  readonly #drain: "all" | "processing";
  readonly #recorder: QueueRecorder | undefined;
  /** Every item that waits or is processed. */
  readonly #entries = new Map<ItemKey, Entry<T>>();
  #processing = 0;
  /** Of the item that came last. */
  #sequence = 0;
  #isShuttingDown = false;
  readonly #consumers = new WaitQueue<WorkItem<T> | undefined>();
  readonly #drains = new WaitQueue<void>();

  constructor(options: WorkQueueOptions<T> = {}) {
    const { clock = systemClock, metrics, onMetricsError } = options;
    this.#keyOf = options.keyFunc ?? primitiveKey;
    this.#ordering = options.ordering ?? new FifoOrdering<T>();
    this.#rateLimiter = options.rateLimiter ?? defaultControllerRateLimiter();
    this.#delays = new Delays(clock, this.#enqueue);
    this.#areDelaysMerged = options.delays === "merged";
    this.#drain = options.drain ?? "all";
    this.#recorder = metrics && new QueueRecorder(metrics, clock, onMetricsError);
  }

  /** How many items wait, without those that are processed or delayed. */
  get length(): number {
    return this.#ordering.length;
  }

  /** How many items wait for their time. */
  get delayed(): number {
    return this.#delays.size;
  }

  /** How many items are in the hands of workers. */
  get processing(): number {
    return this.#processing;
  }

  /** Whether the queue takes no more adds. */
  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /**
   * Asks for an item to be processed. Does nothing once the queue is shutting down.
   *
   * @throws {TypeError} if the item is no primitive and the queue has no `keyFunc`
   * @throws {InvalidOptionsError} if the priority is not a number; nothing is added then
   */
  add(item: T, options?: PriorityOptions): void {
    const key = this.#keyOf(item);
    this.#addNow(item, key, priorityIn(options));
  }

  /**
   * Adds an item in `delayMs` milliseconds, or at once if that is not above 0. A shutdown drops the
   * items that still wait for their time.
   *
   * @throws {InvalidOptionsError} if priority or delay is no number; nothing is added then
   */
  addAfter(item: T, delayMs: number, options?: PriorityOptions): void {
    const key = this.#keyOf(item);
    this.#addLater(item, key, checkDelay("delayMs", delayMs), priorityIn(options));
  }

  /**
   * Counts a failure of an item, and adds it after the delay that the rate limiter returns.
   *
   * @throws {InvalidOptionsError} if the priority is no number; nothing is counted and added then
   */
  addRateLimited(item: T, options?: PriorityOptions): void {
    const key = this.#keyOf(item);
    const priority = priorityIn(options);
    const delayMs = checkDelay("rateLimiter.when", this.#rateLimiter.when(key));
    this.#addLater(item, key, delayMs, priority);
  }

  /** Forgets the failures of an item. It does not end its processing: see {@link WorkQueue.done}. */
  forget(item: T): void {
    this.#rateLimiter.forget(this.#keyOf(item));
  }

  /** The failures of an item since it was last forgotten. */
  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(this.#keyOf(item));
  }

  /**
   * The priority with which an item is delayed or waits or, if neither, is being processed;
   * `undefined` if the queue does not have it.
   */
  priorityOf(item: T): number | undefined {
    const key = this.#keyOf(item);
    return this.#delays.priorityOf(key) ?? this.#entries.get(key)?.priority;
  }

  /**
   * Takes the next item, at once and without a promise if one waits. `undefined` means that the
   * queue is shut down and nothing is left.
   *
   * @throws the signal's reason when it is aborted before an item comes
   */
  get(options?: QueueWaitOptions): WorkItem<T> | undefined | Promise<WorkItem<T> | undefined> {
    const signal = options?.signal;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.length > 0) return this.#take();
    if (this.#isShuttingDown) return undefined;
    return this.#consumers.wait(signal);
  }

  /**
   * Gives an item back, as the end of a `using` block of its {@link WorkItem} does. Does nothing if
   * the item is not being processed.
   */
  done(item: T): void {
    const entry = this.#entries.get(this.#keyOf(item));
    if (entry !== undefined) this.#finish(entry);
  }

  /**
   * Ends the queue: adds are ignored from now on, workers get what is left and then `undefined`,
   * and all waits for a drain end. Idempotent.
   */
  shutDown(): void {
    this.#close();
    this.#drains.resolveAll();
  }

  /**
   * Ends the queue and waits until the workers have finished all of it, including items that are
   * added again by then. A later {@link WorkQueue.shutDown} ends the wait.
   *
   * @throws the signal's reason when it is aborted before
   */
  async shutDownWithDrain(options?: QueueWaitOptions): Promise<void> {
    this.#close();
    if (!this.#isDrained()) await this.#drains.wait(options?.signal);
  }

  /** The same as {@link WorkQueue.shutDown}. */
  [Symbol.dispose](): void {
    this.shutDown();
  }

  /** The items one after the other, until the queue is shut down and empty. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined> {
    for (;;) {
      const work = await this.get();
      if (work === undefined) return undefined;
      try {
        yield work.item;
      } finally {
        work[Symbol.dispose]();
      }
    }
  }

  #addLater(item: T, key: ItemKey, delayMs: number, priority: number): void {
    if (this.#isShuttingDown) return;
    this.#recorder?.retried();
    const isMerged = this.#areDelaysMerged && this.#entries.get(key)?.isPending === true;
    if (delayMs > 0 && !isMerged) this.#delays.delay(item, key, delayMs, priority);
    else this.#addNow(item, key, priority);
  }

  #addNow(item: T, key: ItemKey, priority: number): void {
    const isMerged = this.#areDelaysMerged && this.#delays.size > 0;
    const delayed = isMerged ? this.#delays.cancel(key) : undefined;
    this.#enqueue(item, key, delayed === undefined ? priority : Math.max(delayed, priority));
  }

  /** Puts an item in the queue, unless it waits there already; then it may raise its priority. */
  readonly #enqueue = (item: T, key: ItemKey, priority: number): void => {
    if (this.#isShuttingDown) return;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#recorder?.added(key);
      this.#push(item, key, priority);
      return;
    }
    const { state } = entry;
    const isRaised = entry.addAgain(priority);
    if (state === "processing") this.#recorder?.added(key);
    if (state !== "waiting") return;
    if (isRaised) this.#ordering.raise?.(entry);
    this.#ordering.touch(entry);
  };

  #push(item: T, key: ItemKey, priority: number): void {
    // Small numbers take less memory and time.
    this.#sequence = this.length === 0 ? 0 : this.#sequence + 1;
    const entry = new Entry<T>(item, key, priority, this.#sequence, this.#finish);
    this.#entries.set(key, entry);
    this.#ordering.push(entry);
    // Consumers wait only while the queue is empty, so it is this item, whatever the ordering.
    if (this.#consumers.length > 0) this.#consumers.resolveFirst(this.#take());
  }

  #take(): Entry<T> | undefined {
    const entry = Entry.of(this.#ordering.pop());
    if (entry === undefined) return undefined;
    entry.take();
    this.#processing += 1;
    this.#recorder?.taken(entry.key);
    return entry;
  }

  readonly #finish = (entry: Entry<T>): void => {
    const { item, key, state, priority } = entry;
    if (state !== "processing" && state !== "again") return;
    entry.end();
    this.#processing -= 1;
    this.#recorder?.finished(key);
    if (state === "again") this.#push(item, key, priority);
    else this.#entries.delete(key);
    if (this.#drains.length > 0 && this.#isDrained()) this.#drains.resolveAll();
  };

  #isDrained(): boolean {
    return this.#processing === 0 && (this.#drain === "processing" || this.length === 0);
  }

  #close(): void {
    if (this.#isShuttingDown) return;
    this.#isShuttingDown = true;
    this.#delays.clear();
    this.#consumers.resolveAll(undefined);
  }
}
