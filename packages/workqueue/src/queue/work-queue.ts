import { systemClock } from "@listwatch/core-fifo";
import { provideDispose, WaitQueue, checkOptions, signalIn } from "@listwatch/core-fifo/base";
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
  type KeyedQueueOptions,
  type PrimitiveQueueArguments,
  type PriorityOptions,
  type QueueWaitOptions,
  type WorkQueueOptions,
  queueTable,
} from "./work-queue-options.ts";

provideDispose();

/** An item of a queue, as {@link WorkQueue.contents} returns it. */
export interface QueuedItem<T> {
  /** The item. */
  readonly item: T;
  /** State of the item. `again` is one that was added while it is processed. */
  readonly state: "again" | "delayed" | "processing" | "waiting";
  /** Priority of the item. */
  readonly priority: number;
  /** Time at which a delayed item is due, in milliseconds since 1970. */
  readonly dueMs?: number | undefined;
}

/**
 * A queue of work between event handlers and workers (client-go util/workqueue: its plain, delaying
 * and rate limiting queues in one). Each item is processed by at most one worker at a time.
 *
 * Guarantees: adds of a waiting item merge into one. Any number of adds of an item that is being
 * processed cause exactly one more round. So a round begins after every add. An item is never
 * queued before it is due; the earlier of two delays counts. Operations are O(1) with the default
 * ordering; delays are O(log n). A waiting or delayed item takes about 120 bytes. Not guaranteed: a
 * maximum length, or that items survive the process.
 *
 * A loop over the queue takes one item at a time, and is done with it when it asks for the next. N
 * loops are N workers.
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
  /** All items that wait or are being processed. */
  readonly #entries = new Map<ItemKey, Entry<T>>();
  #processing = 0;
  /** Sequence number of the newest item. */
  #sequence = 0;
  #isShuttingDown = false;
  readonly #consumers = new WaitQueue<WorkItem<T> | undefined>();
  readonly #drains = new WaitQueue<void>();

  /** Items that are not primitives require a `keyFunc`. */
  constructor(options: KeyedQueueOptions<T>);
  constructor(...options: PrimitiveQueueArguments<T>);
  constructor(options: WorkQueueOptions<T> = {}) {
    checkOptions(options, queueTable);
    const { clock = systemClock, metrics, name = "queue", onMetricsError } = options;
    this.#keyOf = options.keyFunc ?? primitiveKey;
    this.#ordering = options.ordering ?? new FifoOrdering<T>();
    this.#rateLimiter = options.rateLimiter ?? defaultControllerRateLimiter();
    this.#delays = new Delays(clock, this.#enqueue);
    this.#areDelaysMerged = options.delays === "merged";
    this.#drain = options.drain ?? "all";
    this.#recorder = metrics && new QueueRecorder(metrics, name, clock, onMetricsError);
  }

  /** Number of waiting items, without those that are being processed or delayed. */
  get length(): number {
    return this.#ordering.length;
  }

  /** Number of delayed items. */
  get delayed(): number {
    return this.#delays.size;
  }

  /** Number of items that are being processed. */
  get processing(): number {
    return this.#processing;
  }

  /** Whether adds are ignored, because the queue is shutting down. */
  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /**
   * Adds an item. Does nothing while the queue is shutting down.
   *
   * @throws {TypeError} if the item is not a primitive and the queue has no `keyFunc`
   * @throws {InvalidOptionsError} if the priority is not a number; nothing is added then
   */
  add(item: T, options?: PriorityOptions): void {
    const key = this.#keyOf(item);
    this.#addNow(item, key, priorityIn(options));
  }

  /**
   * Adds an item after `delayMs` milliseconds, or at once if that is not above 0. A shutdown drops
   * delayed items.
   *
   * @throws {InvalidOptionsError} if priority or delay is not a number; nothing is added then
   */
  addAfter(item: T, delayMs: number, options?: PriorityOptions): void {
    const key = this.#keyOf(item);
    this.#addLater(item, key, checkDelay("delayMs", delayMs), priorityIn(options));
  }

  /**
   * Counts a failure of an item and adds it after the delay that the rate limiter returns.
   *
   * @throws {InvalidOptionsError} if the priority is not a number; nothing is counted or added then
   */
  addRateLimited(item: T, options?: PriorityOptions): void {
    const key = this.#keyOf(item);
    const priority = priorityIn(options);
    const delayMs = checkDelay("rateLimiter.when", this.#rateLimiter.when(key));
    this.#addLater(item, key, delayMs, priority);
  }

  /** Resets the failures of an item. To end its processing, call {@link WorkQueue.done}. */
  forget(item: T): void {
    this.#rateLimiter.forget(this.#keyOf(item));
  }

  /** Returns the number of failures of an item since it was last forgotten. */
  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(this.#keyOf(item));
  }

  /**
   * Returns the priority of an item that is delayed, waits, or is being processed, in this order;
   * `undefined` if the queue does not contain it.
   */
  priorityOf(item: T): number | undefined {
    const key = this.#keyOf(item);
    return this.#delays.priorityOf(key) ?? this.#entries.get(key)?.priority;
  }

  /**
   * Returns all items of the queue and what each does: it waits for a worker, is being processed,
   * is processed and will be again, or is delayed. O(n); for tools that show a queue.
   */
  contents(): readonly QueuedItem<T>[] {
    const entries = Array.from(this.#entries.values(), ({ item, priority, state }) => {
      return { item, priority, state: state === "ended" ? "processing" : state };
    });
    return [...entries, ...this.#delays.contents()];
  }

  /**
   * Takes the next item. If one waits, returns it at once, not as a promise. `undefined` means that
   * the queue is shut down and empty.
   *
   * @throws the reason of the signal if it is aborted before an item is added
   */
  get(options?: QueueWaitOptions): WorkItem<T> | undefined | Promise<WorkItem<T> | undefined> {
    const signal = signalIn(options);
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.length > 0) return this.#take();
    if (this.#isShuttingDown) return undefined;
    return this.#consumers.wait(signal);
  }

  /**
   * Marks an item as processed, as the end of a `using` block of its {@link WorkItem} does. Does
   * nothing if the item is not being processed.
   */
  done(item: T): void {
    const entry = this.#entries.get(this.#keyOf(item));
    if (entry !== undefined) this.#finish(entry);
  }

  /**
   * Shuts the queue down. Later adds are ignored, workers get the remaining items and then
   * `undefined`, and all waits for a drain end. Idempotent.
   */
  shutDown(): void {
    this.#close();
    this.#drains.resolveAll();
  }

  /**
   * Shuts the queue down and waits until all items are processed. Items that were added again by
   * then are included. A later {@link WorkQueue.shutDown} ends the wait.
   *
   * @throws the reason of the signal if it is aborted during the wait
   */
  async shutDownWithDrain(options?: QueueWaitOptions): Promise<void> {
    const signal = signalIn(options);
    this.#close();
    if (!this.#isDrained()) await this.#drains.wait(signal);
  }

  /** The same as {@link WorkQueue.shutDown}. */
  [Symbol.dispose](): void {
    this.shutDown();
  }

  /** Iterates over the items until the queue is shut down and empty. */
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

  /** Queues an item. If it already waits, its priority may rise. */
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
    // Small integers take less memory and time.
    this.#sequence = this.length === 0 ? 0 : this.#sequence + 1;
    const entry = new Entry<T>(item, key, priority, this.#sequence, this.#finish);
    this.#entries.set(key, entry);
    this.#ordering.push(entry);
    // Consumers wait only while the queue is empty, so this is the next item in any ordering.
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
