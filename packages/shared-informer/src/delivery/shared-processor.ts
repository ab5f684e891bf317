import { systemClock, type Clock } from "@listwatch/core-fifo";
import {
  AlreadyRunningError,
  onAborted,
  provideDispose,
  aBoolean,
  aClock,
  aNumber,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { ResyncSchedule } from "./resync-schedule.ts";
import type { InformerEvent } from "../cache/informer-event.ts";
import { refuseToWait } from "./resource-event-handler.ts";

provideDispose();

/** A mailbox of a {@link SharedProcessor}, such as a {@link ProcessorListener}. */
export interface Listener<T> {
  /** Name of the mailbox in reports. */
  readonly name: string;
  /** Number of waiting events. */
  readonly backlog: number;
  /** Start of the running callback, if its promise is pending. */
  readonly callbackSinceMs?: number | undefined;
  /** Whether a callback has been called and has not returned, not even a promise. */
  readonly isCalling?: boolean | undefined;
  /** Resolves when the listener has ended. @default the promise of `stop` */
  readonly ended?: Promise<void> | undefined;
  /** Whether an update of the last resync waits. The listener then skips the next resync. */
  readonly isResyncWaiting?: boolean | undefined;
  /** Adds an event. Must neither throw nor wait. */
  push(event: InformerEvent<T>): void;
  /** Called when all initial objects have been pushed. */
  sourceSynced(): void;
  /**
   * Returns a promise while the listener is full and the source should wait. Most listeners never
   * are.
   */
  readonly waitForRoom?: (() => Promise<void> | undefined) | undefined;
  /** Starts to deliver events. */
  start(): void;
  /** Drops waiting events. Resolves when the listener has ended. Idempotent. */
  stop(): Promise<void>;
}

/** Options of {@link SharedProcessor}. */
export interface SharedProcessorOptions {
  /** Clock for the resync periods. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Period in which the source calls {@link SharedProcessor.shouldResync}, in milliseconds; 0 means
   * never.
   *
   * @default 0
   */
  readonly resyncCheckPeriodMs?: number | undefined;
}

/** Options of {@link SharedProcessor.shouldResync}. */
export interface ResyncOptions {
  /**
   * Whether a listener takes part in a resync while the updates of the last one wait, as in
   * client-go. Then the waiting updates of a slow handler have no limit.
   *
   * @default false, it skips that period
   */
  readonly whileWaiting?: boolean | undefined;
}

/** Options of {@link SharedProcessor.addListener}. */
export interface AddListenerOptions {
  /**
   * Whether the listener gets no unchanged updates, neither of relists nor of resyncs. Otherwise it
   * gets those of relists until the first resync.
   *
   * @default false
   */
  readonly changesOnly?: boolean | undefined;
  /**
   * Period in which the listener gets every object again, in milliseconds; 0 means never.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
}

/** Checks of {@link AddListenerOptions}. */
export const addTable: OptionsOf<AddListenerOptions> = {
  changesOnly: aBoolean,
  resyncMs: aNumber(0),
};

const resyncTable: OptionsOf<ResyncOptions> = { whileWaiting: aBoolean };

/**
 * Distributes events to listeners, each with a mailbox, so that none waits for another (client-go
 * `sharedProcessor`, tools/cache/shared_informer.go).
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
   * The keys of `#members`: iterating over an array takes half the time of a fan-out. Replaced,
   * never changed.
   */
  #listeners: readonly Listener<T>[] = [];
  /**
   * Receivers of distributed events: all listeners except those added since
   * {@link SharedProcessor.beginList}.
   */
  #receivers: readonly Listener<T>[] = [];
  #isInList = false;
  /** Listeners that can be full. */
  #limited: readonly Listener<T>[] = [];
  /** Removed listeners and their ends. A stop waits for them too. */
  readonly #leaving = new Map<Listener<T>, Promise<void>>();
  #resyncCheckPeriodMs: number;
  readonly #stop = Promise.withResolvers<void>();
  #phase: "created" | "running" | "stopped" = "created";

  constructor(options: SharedProcessorOptions = {}) {
    checkOptions(options, { clock: aClock, resyncCheckPeriodMs: aNumber(0) });
    this.#clock = options.clock ?? systemClock;
    this.#resyncCheckPeriodMs = options.resyncCheckPeriodMs ?? 0;
  }

  /** Whether a callback has been called and has not returned, not even a promise. */
  get isCalling(): boolean {
    return [...this.#listeners, ...this.#leaving.keys()].some(({ isCalling }) => isCalling);
  }

  /** Listeners in the order in which they were added. */
  get listeners(): readonly Listener<T>[] {
    return this.#listeners;
  }

  /** Adds a listener. It is started at once if the processor runs, otherwise with the processor. */
  addListener(listener: Listener<T>, options: AddListenerOptions = {}): void {
    checkOptions(options, addTable);
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
    if (changesOnly) schedule.skip();
    this.#members.set(listener, schedule);
    this.#setListeners();
    if (this.#phase === "running") listener.start();
  }

  /**
   * Removes a listener. It gets no more events, its waiting events are dropped, and the promise
   * resolves when the running callback has returned. Does nothing for an unknown listener.
   *
   * @throws {ListwatchError} with the code `LW_WAITS_FOR_ITSELF` in a callback of the listener,
   *   before its first `await`; the listener is removed
   */
  removeListener(listener: Listener<T>): Promise<void> {
    if (!this.#members.delete(listener)) return Promise.resolve();
    this.#setListeners();
    const stopped = listener.stop();
    const end = (listener.ended ?? stopped).then(() => void this.#leaving.delete(listener));
    this.#leaving.set(listener, end);
    return listener.isCalling === true ? stopped : end;
  }

  /** Returns a promise while a listener is full, otherwise `undefined`. */
  waitForRoom(): Promise<void> | undefined {
    for (const listener of this.#limited) {
      const room = listener.waitForRoom?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /**
   * Starts to distribute, over several turns, the changes of a list that the cache already
   * contains. A listener that is added meanwhile gets none of them: it starts with the content of
   * the cache.
   */
  beginList(): void {
    this.#isInList = true;
  }

  /** Ends the changes of a list. */
  endList(): void {
    this.#isInList = false;
    this.#receivers = this.#listeners;
  }

  /** Distributes an event to all listeners. O(listeners). */
  distribute(event: InformerEvent<T>): void {
    const listeners = this.#receivers;
    for (let index = 0; index < listeners.length; index++) listeners[index]?.push(event);
  }

  /** Distributes an unchanged object to the listeners that take part in the resync. */
  distributeResync(event: InformerEvent<T>): void {
    for (const listener of this.#receivers) {
      if (this.#members.get(listener)?.isSyncing === true) listener.push(event);
    }
  }

  /** Records for every listener that all initial objects have been distributed. */
  sourceSynced(): void {
    for (const listener of this.#listeners) listener.sourceSynced();
  }

  /** Marks the listeners for which a resync is due. Returns whether there are any. */
  shouldResync(options: ResyncOptions = {}): boolean {
    checkOptions(options, resyncTable);
    const { whileWaiting = false } = options;
    const nowMs = this.#clock.now();
    let isAnyDue = false;
    for (const [listener, schedule] of this.#members) {
      if (!schedule.check(nowMs)) continue;
      if (!whileWaiting && listener.isResyncWaiting === true) schedule.skip();
      else isAnyDue = true;
    }
    return isAnyDue;
  }

  /** Sets the period in which {@link SharedProcessor.shouldResync} is called, in milliseconds. */
  setResyncCheckPeriod(periodMs: number): void {
    if (periodMs === this.#resyncCheckPeriodMs) return;
    this.#resyncCheckPeriodMs = periodMs;
    for (const schedule of this.#members.values()) schedule.setCheckPeriod(periodMs);
  }

  /**
   * Starts all listeners, and each later one when it is added. Resolves after an abort, when all
   * have ended.
   *
   * @throws {AlreadyRunningError} if it was called before
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

  /**
   * Ends or prevents the run. Resolves when all listeners have ended.
   *
   * @throws {ListwatchError} with the code `LW_WAITS_FOR_ITSELF` in a callback of a handler, before
   *   its first `await`
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stop.resolve();
    const end = this.#end();
    return this.isCalling ? refuseToWait("the processor") : end;
  }

  async #end(): Promise<void> {
    this.#phase = "stopped";
    const ends = this.#listeners.map((listener) => {
      const stopped = listener.stop();
      return listener.ended ?? stopped;
    });
    await Promise.all([...this.#leaving.values(), ...ends]);
    // An informer that is kept for its cache must not keep its handlers.
    this.#members.clear();
    this.#setListeners();
  }

  #setListeners(): void {
    this.#listeners = [...this.#members.keys()];
    if (!this.#isInList) this.#receivers = this.#listeners;
    this.#limited = this.#listeners.filter(({ waitForRoom }) => waitForRoom !== undefined);
  }
}
