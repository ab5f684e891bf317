import { systemClock, type Clock } from "@listwatch/core-fifo";
import {
  Entry,
  entryOrdering,
  ItemOrdering,
  type EntryOrdering,
  type EntryOrderingOption,
} from "./work-item.ts";
import { QueueRecorder } from "./queue-recorder.ts";
import { Waiters } from "./waiters.ts";
import { primitiveKey, type ItemKey, type ItemKeyFunction } from "./item-key.ts";
import type { Lease } from "./lease.ts";
import type { QueueMetrics } from "./metrics.ts";
import { FifoOrdering, type QueueOrdering } from "../orderings/ordering.ts";

/** Options of {@link WorkQueue}. */
export interface WorkQueueOptions<T> {
  /**
   * Tells items apart. Items with one key are the same to the queue: which one of them a worker
   * gets is not defined.
   *
   * @default the item, which must be a primitive
   */
  readonly keyFunc?: ItemKeyFunction<T> | undefined;
  /**
   * The order in which items leave. The queue owns it from now on.
   *
   * @default new FifoOrdering()
   */
  readonly ordering?: QueueOrdering<T> | undefined;
  /**
   * What {@link WorkQueue.shutDownWithDrain} waits for: all items, or only those being processed, as
   * client-go does (WQ-7), which leaves behind what nobody has taken yet.
   *
   * @default "all"
   */
  readonly drain?: "all" | "processing" | undefined;
  /** @default none */
  readonly metrics?: QueueMetrics | undefined;
  /** Told of metrics that throw; the value is lost and the queue goes on. */
  readonly onMetricsError?: ((error: unknown) => void) | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Options of a wait. */
export interface QueueWaitOptions {
  /** Ends the wait, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A queue of things to do that does each at most once at a time: what stands between event handlers
 * and workers.
 *
 * Guarantees: no item is in the hands of two workers. Adds of an item that waits merge into one;
 * any number of adds while it is processed make it be processed exactly once more, later (WQ-1,
 * WQ-2). So every add is followed by a processing that begins after it. Every operation is O(1)
 * with the default ordering; an item that waits takes about 110 bytes. Not guaranteed: a limit of
 * the length, or that an item survives the process.
 *
 * Iterating takes one item at a time and is done with it when it asks for the next; N loops are N
 * workers.
 *
 * ```ts
 * import { WorkQueue } from "@listwatch/workqueue";
 *
 * const queue = new WorkQueue<string>();
 * async function work(): Promise<void> {
 *   for await (const key of queue) console.log("working on", key);
 * }
 * const workers = Promise.all([work(), work()]);
 * for (const key of ["a", "b", "a"]) queue.add(key);
 * await queue.shutDownWithDrain();
 * await workers;
 * ```
 */
export class WorkQueue<T> implements Disposable {
  protected readonly clock: Clock;
  protected readonly keyOf: ItemKeyFunction<T>;
  readonly #waiting: EntryOrdering<T>;
  readonly #drain: "all" | "processing";
  readonly #recorder: QueueRecorder | undefined;
  /** Every item that waits or is processed. */
  readonly #entries = new Map<ItemKey, Entry<T>>();
  #processing = 0;
  #isShuttingDown = false;
  readonly #consumers = new Waiters<Lease<T> | undefined>();
  readonly #drains = new Waiters<void>();

  /** @throws {TypeError} later, by an add of an item that is no primitive, if there is no `keyFunc` */
  constructor(options: WorkQueueOptions<T> = {}) {
    this.clock = options.clock ?? systemClock;
    this.keyOf = options.keyFunc ?? primitiveKey;
    this.#waiting = this.#createWaiting(options);
    this.#drain = options.drain ?? "all";
    const { metrics, onMetricsError } = options;
    this.#recorder = metrics && new QueueRecorder(metrics, this.clock, onMetricsError);
  }

  /** How many items wait; those being processed do not count (WQ-5). */
  get length(): number {
    return this.#waiting.length;
  }

  /** How many items are in the hands of workers. */
  get processing(): number {
    return this.#processing;
  }

  /** Whether the queue takes no more adds. */
  get isShuttingDown(): boolean {
    return this.#isShuttingDown;
  }

  /** Asks for an item to be processed. Does nothing once the queue is shutting down (WQ-6). */
  add(item: T): void {
    this.enqueue(item, this.keyOf(item));
  }

  /**
   * Takes the next item, at once and without a promise if one waits. `undefined` means that the
   * queue is shut down and nothing is left (WQ-3).
   *
   * @throws the signal's reason when it is aborted before an item comes
   */
  get(options?: QueueWaitOptions): Lease<T> | undefined | Promise<Lease<T> | undefined> {
    const signal = options?.signal;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.length > 0) return this.#take();
    if (this.#isShuttingDown) return undefined;
    return this.#consumers.wait(signal);
  }

  /**
   * Gives an item back, as {@link Lease.done} does, for those who keep the item instead of its
   * lease. Does nothing if it is not being processed.
   */
  done(item: T): void {
    const entry = this.#entries.get(this.keyOf(item));
    if (entry !== undefined) this.#finish(entry);
  }

  /**
   * Ends the queue: adds are ignored from now on, workers get what is left and then `undefined`,
   * and nobody waits for a drain any longer. Idempotent.
   */
  shutDown(): void {
    this.#close();
    this.#drains.endAll();
  }

  /**
   * Ends the queue and waits until the workers have finished all of it (WQ-7), including items that
   * are added again by then. A later {@link WorkQueue.shutDown} ends the wait.
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
      const lease = await this.get();
      if (lease === undefined) return undefined;
      try {
        yield lease.item;
      } finally {
        lease.done();
      }
    }
  }

  /** Puts an item in the queue, unless it waits there already; then it may raise its priority. */
  protected enqueue(item: T, key: ItemKey, priority = 0): void {
    if (this.#isShuttingDown) return;
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#recorder?.added(key);
      this.#push(item, key, priority);
    } else if (entry.state === "processing") {
      entry.state = "again";
      entry.priority = priority;
      this.#recorder?.added(key);
    } else {
      if (entry.priority < priority) entry.priority = priority;
      if (entry.state === "waiting") this.#waiting.touch(entry);
    }
  }

  /** Whether an item is to be processed already, now or once more. */
  protected isPending(key: ItemKey): boolean {
    const state = this.#entries.get(key)?.state;
    return state === "waiting" || state === "again";
  }

  /**
   * The priority that an item waits with or is to be processed again with or, if neither, is being
   * processed with.
   */
  protected pendingPriority(key: ItemKey): number | undefined {
    return this.#entries.get(key)?.priority;
  }

  /** Counts a retry in the metrics. */
  protected countRetry(): void {
    this.#recorder?.retried();
  }

  /** Called once, when the queue stops to take adds. */
  protected onShutDown(): void {}

  #createWaiting(options: WorkQueueOptions<T> & EntryOrderingOption<T>): EntryOrdering<T> {
    const { ordering, [entryOrdering]: waiting } = options;
    if (waiting !== undefined) return waiting;
    if (ordering === undefined) return new FifoOrdering();
    return new ItemOrdering(ordering, (item) => this.#entries.get(this.keyOf(item)));
  }

  #push(item: T, key: ItemKey, priority: number): void {
    const entry = new Entry<T>(item, key, priority, this.#finish);
    this.#entries.set(key, entry);
    this.#waiting.push(entry);
    // Somebody waits only while the queue is empty, so it is this item, whatever the ordering.
    if (this.#consumers.size > 0) this.#consumers.endFirst(this.#take());
  }

  #take(): Lease<T> | undefined {
    const entry = this.#waiting.pop();
    if (entry === undefined) return undefined;
    entry.state = "processing";
    this.#processing += 1;
    this.#recorder?.taken(entry.key);
    return entry;
  }

  readonly #finish = (entry: Entry<T>): void => {
    const { item, key, state, priority } = entry;
    if (state !== "processing" && state !== "again") return;
    entry.state = "ended";
    this.#processing -= 1;
    this.#recorder?.finished(key);
    if (state === "again") this.#push(item, key, priority);
    else this.#entries.delete(key);
    if (this.#drains.size > 0 && this.#isDrained()) this.#drains.endAll();
  };

  #isDrained(): boolean {
    return this.#processing === 0 && (this.#drain === "processing" || this.length === 0);
  }

  #close(): void {
    if (this.#isShuttingDown) return;
    this.#isShuttingDown = true;
    this.onShutDown();
    this.#consumers.endAll(undefined);
  }
}
