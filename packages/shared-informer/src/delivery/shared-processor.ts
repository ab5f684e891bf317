import { systemClock, type Clock } from "@listwatch/core-fifo";
import { AlreadyRunningError, onAborted, provideDispose } from "@listwatch/core-fifo/base";
import { ResyncSchedule } from "./resync-schedule.ts";
import type { InformerEvent } from "../cache/informer-event.ts";

provideDispose();

/** A mailbox that a {@link SharedProcessor} distributes to; {@link ProcessorListener} is one. */
export interface Listener<T> {
  readonly name: string;
  /** Events that wait. */
  readonly backlog: number;
  /** When the callback in progress began, if it returned a promise that is pending. */
  readonly callbackSinceMs?: number | undefined;
  /** Takes an event; must not throw and must not wait. */
  push(event: InformerEvent<T>): void;
  /** Called when all initial items have been pushed. */
  sourceSynced(): void;
  /** Pending while the source should not go on, because the listener is full; most never are. */
  readonly waitForRoom?: (() => Promise<void> | undefined) | undefined;
  /** Begins to deliver. */
  start(): void;
  /** Drops what waits and resolves when the listener has ended. Idempotent. */
  stop(): Promise<void>;
}

/** Options of {@link SharedProcessor}. */
export interface SharedProcessorOptions {
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * How often the source calls {@link SharedProcessor.shouldResync}, in milliseconds; 0: never.
   *
   * @default 0
   */
  readonly resyncCheckPeriodMs?: number | undefined;
}

/** Options of {@link SharedProcessor.addListener}. */
export interface AddListenerOptions {
  /**
   * Whether the listener gets no updates without a change, neither those of relists nor those of
   * resyncs. Otherwise it gets those of relists until the first resync.
   *
   * @default false
   */
  readonly changesOnly?: boolean | undefined;
  /**
   * How often the listener gets every object again, in milliseconds; 0 means never.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
}

/**
 * Hands every event to any number of listeners, each with its own mailbox, so that none waits for
 * another (client-go `sharedProcessor`, tools/cache/shared_informer.go).
 *
 * ```ts
 * import { ProcessorListener, SharedProcessor } from "@listwatch/shared-informer";
 *
 * const processor = new SharedProcessor<{ name: string }>();
 * processor.addListener(
 *   new ProcessorListener({ onAdd: (pod) => console.log("one", pod.name) }),
 * );
 * processor.addListener(
 *   new ProcessorListener({ onAdd: (pod) => console.log("two", pod.name) }),
 * );
 * const stop = new AbortController();
 * const ended = processor.run(stop.signal);
 * processor.distribute({
 *   type: "add",
 *   key: "a",
 *   object: { name: "a" },
 *   isInInitialList: false,
 * });
 * await Promise.resolve(); // prints "one a" and "two a"
 * stop.abort();
 * await ended;
 * ```
 */
export class SharedProcessor<T> implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #members = new Map<Listener<T>, ResyncSchedule>();
  /**
   * The keys of #members; iterating over an array takes half the time of a fan-out. Replaced, never
   * changed.
   */
  #listeners: readonly Listener<T>[] = [];
  /** Those that get what is distributed: all but those added since {@link SharedProcessor.beginList}. */
  #receivers: readonly Listener<T>[] = [];
  #isInList = false;
  /** Those that can be full. */
  #limited: readonly Listener<T>[] = [];
  /** Ends of listeners that were removed; a stop waits for them, too. */
  readonly #leaving = new Set<Promise<void>>();
  #resyncCheckPeriodMs: number;
  readonly #stop = Promise.withResolvers<void>();
  #phase: "created" | "running" | "stopped" = "created";

  constructor(options: SharedProcessorOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#resyncCheckPeriodMs = options.resyncCheckPeriodMs ?? 0;
  }

  /** The listeners, in the order in which they were added. */
  get listeners(): readonly Listener<T>[] {
    return this.#listeners;
  }

  /** Adds a listener; it is started at once if the processor runs, otherwise with it. */
  addListener(listener: Listener<T>, options: AddListenerOptions = {}): void {
    if (this.#phase === "stopped") {
      void listener.stop();
      return;
    }
    const { changesOnly = false, resyncMs = 0 } = options;
    const schedule = new ResyncSchedule(
      changesOnly ? 0 : resyncMs,
      this.#resyncCheckPeriodMs,
      this.#clock.now(),
    );
    if (changesOnly) schedule.excludeFromRelists();
    this.#members.set(listener, schedule);
    this.#setListeners();
    if (this.#phase === "running") listener.start();
  }

  /**
   * Removes a listener: it gets nothing more, what waits is dropped, and the promise resolves when
   * the callback in progress has returned. Does nothing for a listener that was not added.
   */
  removeListener(listener: Listener<T>): Promise<void> {
    if (!this.#members.delete(listener)) return Promise.resolve();
    this.#setListeners();
    const end = listener.stop().then(() => void this.#leaving.delete(end));
    this.#leaving.add(end);
    return end;
  }

  /** Pending while a listener is full, `undefined` while none is. */
  waitForRoom(): Promise<void> | undefined {
    for (const listener of this.#limited) {
      const room = listener.waitForRoom?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /**
   * Begins to distribute the changes of a list that the cache shows already, over several turns. A
   * listener that is added meanwhile gets none of them: it begins with what the cache has.
   */
  beginList(): void {
    this.#isInList = true;
  }

  /** Ends the changes of a list. */
  endList(): void {
    this.#isInList = false;
    this.#receivers = this.#listeners;
  }

  /** Hands an event to every listener. O(listeners). */
  distribute(event: InformerEvent<T>): void {
    const listeners = this.#receivers;
    for (let index = 0; index < listeners.length; index++) listeners[index]?.push(event);
  }

  /** Hands an event without a change to the listeners that take part in the resync. */
  distributeResync(event: InformerEvent<T>): void {
    for (const listener of this.#receivers) {
      if (this.#members.get(listener)?.isSyncing === true) listener.push(event);
    }
  }

  /** Notes that all initial items have been distributed, for every listener. */
  sourceSynced(): void {
    for (const listener of this.#listeners) listener.sourceSynced();
  }

  /** Marks the listeners for which a resync is due; returns whether there are any. */
  shouldResync(): boolean {
    const nowMs = this.#clock.now();
    let isAnyDue = false;
    for (const schedule of this.#members.values()) {
      if (schedule.check(nowMs)) isAnyDue = true;
    }
    return isAnyDue;
  }

  /** Sets how often {@link SharedProcessor.shouldResync} will be called, in milliseconds. */
  setResyncCheckPeriod(periodMs: number): void {
    if (periodMs === this.#resyncCheckPeriodMs) return;
    this.#resyncCheckPeriodMs = periodMs;
    for (const schedule of this.#members.values()) schedule.setCheckPeriod(periodMs);
  }

  /**
   * Starts all listeners, also those that are added later; resolves after an abort, when all have
   * ended.
   *
   * @throws {AlreadyRunningError} if it was run before
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#phase !== "created") throw new AlreadyRunningError("the processor");
    this.#phase = "running";
    const removeListener = onAborted(signal, () => this.#stop.resolve());
    if (signal?.aborted !== true) for (const listener of this.#listeners) listener.start();
    await this.#stop.promise;
    removeListener();
    await this.#end();
  }

  /** Ends the run, or prevents it; resolves when all listeners have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.resolve();
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#phase = "stopped";
    await Promise.all([...this.#leaving, ...this.#listeners.map((listener) => listener.stop())]);
    // An informer that is kept for its cache does not keep its handlers.
    this.#members.clear();
    this.#setListeners();
  }

  #setListeners(): void {
    this.#listeners = [...this.#members.keys()];
    if (!this.#isInList) this.#receivers = this.#listeners;
    this.#limited = this.#listeners.filter(({ waitForRoom }) => waitForRoom !== undefined);
  }
}
