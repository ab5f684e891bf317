import type { Clock, Timer } from "@listwatch/core-fifo";
import {
  AlreadyRunningError,
  callHook,
  CapacityLatch,
  Deque,
  isPromiseLike,
  onAborted,
  provideDispose,
  TimeBudget,
  aClock,
  aFunction,
  aNumber,
  aString,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import { callHandler, refuseToWait, type ResourceEventHandler } from "./resource-event-handler.ts";
import { NotSyncedError } from "./wait-for-cache-sync.ts";

provideDispose();

/** A slow callback while many events waited. */
export interface SlowHandlerReport {
  /** Name of the handler. */
  readonly name: string;
  /** Duration of the callback, in milliseconds. */
  readonly durationMs: number;
  /** Events that waited when it returned. */
  readonly backlog: number;
}

/** Hooks of a {@link ProcessorListener} about its handler. */
export interface ListenerHooks<T> {
  /** Called with the error of a callback. Its event counts as processed. @default none */
  readonly onHandlerError?:
    | ((error: unknown, listener: ProcessorListener<T>, event: InformerEvent<T>) => void)
    | undefined;
  /** Called for a callback of more than 100 ms while more than 1024 events wait. @default none */
  readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
  /**
   * Called once, when more than 10,000 events wait. Events of an initial list count after 10 s, so
   * that a large list alone is not reported.
   *
   * @default none
   */
  readonly onLongBacklog?: ((handler: string, backlog: number) => void) | undefined;
  /** Called when the handler has processed everything, and when it ends. @default none */
  readonly onEmpty?: ((handler: string) => void) | undefined;
}

/** Options of a {@link ProcessorListener}. */
export interface ProcessorListenerOptions<T> extends ListenerHooks<T> {
  /** Name for reports. @default "handler" */
  readonly name?: string | undefined;
  /** Clock for the time budget and for reports of slow callbacks. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Number of events, including the one being processed, up to which the source may continue. 0
   * makes it wait until each batch is processed.
   *
   * @default Infinity, the source never waits
   */
  readonly maxBacklog?: number | undefined;
}

const listenerTable: OptionsOf<ProcessorListenerOptions<never>> = {
  name: aString,
  clock: aClock,
  maxBacklog: aNumber(0),
  onHandlerError: aFunction,
  onSlowHandler: aFunction,
  onLongBacklog: aFunction,
  onEmpty: aFunction,
};

/** client-go 1.36 traces callbacks over 100 ms when more than 1024 events are pending. */
const slowCallbackMs = 100;
const longBacklog = 1024;

/** Waiting events of a handler that does not keep up. */
const warnBacklog = 10_000;

/** Time for a handler to process a large initial list. */
const initialListMs = 10_000;

/**
 * Reading a clock costs as much as ten callbacks. Maximum number of quick callbacks between two
 * readings.
 */
const maxUnclocked = 64;

type State =
  | "created" //    not run yet; events wait
  | "idle" //       nothing waits
  | "scheduled" //  will deliver in a microtask or a later turn
  | "delivering" // a callback is in progress
  | "stopping" //   a callback is in progress and is the last one
  | "ended";

/**
 * A mailbox with one consumer: queues the events of one handler and calls it, one event at a time.
 *
 * ```text
 *   push ──▶ mailbox ──▶ handler, awaited if it returns a promise
 * ```
 *
 * Unbounded: the producer is never blocked. A slow handler costs memory (see
 * {@link
 * ProcessorListener.backlog}), but does not delay others. A batch of events costs one
 * microtask, and an event for a synchronous callback no promise. A long backlog yields to the event
 * loop every 8 ms, a budget that all listeners on one clock share.
 *
 * ```ts
 * import { ProcessorListener } from "@listwatch/shared-informer";
 *
 * const listener = new ProcessorListener<{ name: string }>({
 *   onAdd: (pod) => console.log(pod.name),
 * });
 * const stop = new AbortController();
 * const ended = listener.run(stop.signal);
 * listener.push({ type: "add", key: "a", object: { name: "a" }, isInInitialList: false });
 * await Promise.resolve(); // prints "a"
 * stop.abort();
 * await ended;
 * ```
 */
export class ProcessorListener<T> implements AsyncDisposable {
  /** Name of the handler in reports. */
  readonly name: string;
  /** Pending while there are more events than `maxBacklog`; absent without a limit. */
  readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
  readonly #handler: ResourceEventHandler<T>;
  readonly #hooks: ListenerHooks<T>;
  readonly #budget: TimeBudget;
  readonly #synced = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #mailbox = new Deque<InformerEvent<T>>();
  readonly #maxBacklog: number;
  readonly #room = new CapacityLatch();
  #state: State = "created";
  #hasRun = false;
  /** Whether the source has announced that all initial objects have been pushed. */
  #isSourceSynced = false;
  #hasSynced = false;
  /** Adds of the initial list that wait or are in progress. */
  #initialLeft = 0;
  /** Infinity when nothing is to be said any more. */
  #warnAbove: number;
  #warnTimer: Timer | undefined;
  #clockEvery = 1;
  #callbackSinceMs: number | undefined;
  #isCalling = false;
  /** The last event that waits and repeats a state, as those of a resync do. */
  #lastRepeat: InformerEvent<T> | undefined;

  constructor(handler: ResourceEventHandler<T>, options: ProcessorListenerOptions<T> = {}) {
    checkOptions(options, listenerTable);
    this.name = options.name ?? "handler";
    this.#handler = handler;
    this.#hooks = options;
    this.#maxBacklog = options.maxBacklog ?? Infinity;
    this.waitForRoom = this.#maxBacklog === Infinity ? undefined : () => this.#waitForRoom();
    this.#budget = new TimeBudget({ clock: options.clock, isShared: true });
    this.#warnAbove = options.onLongBacklog === undefined ? Infinity : warnBacklog;
    // An early end must not be an unhandled rejection if no caller waits.
    this.#synced.promise.catch(() => {});
  }

  /** Waiting events, without the one being processed. */
  get backlog(): number {
    return this.#mailbox.length;
  }

  /** Start of the running callback; `undefined` unless its promise is pending. */
  get callbackSinceMs(): number | undefined {
    return this.#callbackSinceMs;
  }

  /** Whether a callback has been called and has not returned, not even a promise. */
  get isCalling(): boolean {
    return this.#isCalling;
  }

  /** Whether an event of the last resync waits. */
  get isResyncWaiting(): boolean {
    return this.#lastRepeat !== undefined;
  }

  /**
   * Whether the source has synced and every initial add has been processed. Never becomes false
   * again.
   */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /**
   * Resolves when {@link ProcessorListener.hasSynced} becomes true. Rejects if the listener ends
   * before.
   */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** Resolves when the listener has been stopped and the running callback has returned. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Adds an event. Does nothing once the listener has been stopped. */
  push(event: InformerEvent<T>): void {
    if (this.#state === "stopping" || this.#state === "ended") return;
    if (event.type === "add" && event.isInInitialList) this.#initialLeft++;
    if (event.type === "update" && event.old === event.object) this.#lastRepeat = event;
    this.#mailbox.push(event);
    if (this.#mailbox.length > this.#warnAbove) this.#checkBacklog();
    if (this.#state === "idle") this.#schedule();
  }

  /** Records that the source has delivered its whole initial list. */
  sourceSynced(): void {
    if (this.#state === "ended") return;
    this.#isSourceSynced = true;
    this.#checkSynced();
  }

  /** Starts to deliver events. Does nothing if it has been started or stopped. */
  start(): void {
    if (this.#state !== "created") return;
    this.#state = "idle";
    if (this.#mailbox.length > 0) this.#schedule();
  }

  /**
   * Starts the listener, and stops it on abort. Resolves when the listener has ended.
   *
   * @throws {AlreadyRunningError} if it was called before
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new AlreadyRunningError(this.name);
    this.#hasRun = true;
    if (signal?.aborted === true) return this.stop();
    const removeListener = onAborted(signal, () => void this.stop());
    this.start();
    await this.#ended.promise;
    removeListener();
  }

  /**
   * Drops waiting events. Resolves when the running callback has returned. Idempotent. Do not await
   * it inside a callback of the same handler: it rejects if the callback calls it before its first
   * `await`. After that each would wait for the other.
   */
  stop(): Promise<void> {
    if (this.#state !== "ended" && this.#state !== "stopping") {
      this.#mailbox.clear();
      this.#lastRepeat = undefined;
      if (this.#state === "delivering") this.#state = "stopping";
      else this.#end();
    }
    return this.#isCalling ? refuseToWait(this.name) : this.#ended.promise;
  }

  /** Same as {@link ProcessorListener.stop}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #schedule(): void {
    this.#state = "scheduled";
    this.#budget.enter();
    queueMicrotask(this.#begin);
  }

  readonly #begin = (): void => {
    if (this.#state !== "scheduled") return;
    this.#drain(this.#budget.restart());
  };

  #scheduleNextTurn(): void {
    this.#state = "scheduled";
    void this.#budget.clock.nextTurn().then(this.#begin);
  }

  #drain(startMs: number): void {
    this.#state = "delivering";
    const { clock } = this.#budget;
    let unclocked = 0;
    let sinceMs = startMs;
    for (;;) {
      const event = this.#mailbox.shift();
      if (event === undefined) {
        this.#state = "idle";
        this.#budget.leave();
        this.#noteEmpty();
        return;
      }
      if (event === this.#lastRepeat) this.#lastRepeat = undefined;
      const pending = this.#call(event);
      if (pending !== undefined) {
        this.#awaitCallback(pending, event);
        return;
      }
      if (!this.#finish(event)) return;
      if (++unclocked < this.#clockEvery) continue;
      const nowMs = clock.now();
      if (unclocked === 1) this.#checkSlow(nowMs - sinceMs);
      // Quick callbacks are timed in growing groups, slow ones one by one.
      this.#clockEvery = nowMs - sinceMs < 0.1 ? Math.min(this.#clockEvery * 2, maxUnclocked) : 1;
      if (this.#budget.isSpent(nowMs)) {
        this.#scheduleNextTurn();
        return;
      }
      unclocked = 0;
      sinceMs = nowMs;
    }
  }

  /** Returns the promise of an asynchronous callback. Never throws. */
  #call(event: InformerEvent<T>): PromiseLike<unknown> | undefined {
    this.#isCalling = true;
    try {
      const result = callHandler(this.#handler, event);
      this.#isCalling = false;
      return isPromiseLike(result) ? result : undefined;
    } catch (error) {
      this.#isCalling = false;
      this.#report(error, event);
      return undefined;
    }
  }

  #report(error: unknown, event: InformerEvent<T>): void {
    const { onHandlerError } = this.#hooks;
    if (onHandlerError === undefined) return;
    callHook(() => {
      onHandlerError(error, this, event);
    });
  }

  #awaitCallback(pending: PromiseLike<unknown>, event: InformerEvent<T>): void {
    const { clock } = this.#budget;
    this.#budget.leave();
    const sinceMs = clock.now();
    this.#callbackSinceMs = sinceMs;
    const resume = (): void => {
      this.#callbackSinceMs = undefined;
      this.#budget.enter();
      if (!this.#finish(event)) return;
      const nowMs = clock.now();
      this.#checkSlow(nowMs - sinceMs);
      if (this.#budget.isSpent(nowMs)) this.#scheduleNextTurn();
      else this.#drain(nowMs);
    };
    Promise.resolve(pending).then(resume, (error: unknown) => {
      this.#report(error, event);
      resume();
    });
  }

  #noteEmpty(): void {
    const { onEmpty } = this.#hooks;
    if (onEmpty !== undefined) callHook(() => onEmpty(this.name));
  }

  #waitForRoom(): Promise<void> | undefined {
    const isBusy = this.#state === "delivering" || this.#state === "stopping";
    if (this.#state === "ended" || this.#hasRoom(isBusy ? 1 : 0)) return undefined;
    return this.#room.wait();
  }

  #hasRoom(inProgress: number): boolean {
    return this.backlog + inProgress <= this.#maxBacklog;
  }

  /** Counts an event as processed. Returns whether the listener continues. */
  #finish(event: InformerEvent<T>): boolean {
    if (event.type === "add" && event.isInInitialList) {
      this.#initialLeft--;
      this.#checkSynced();
    }
    if (this.#room.isAwaited && this.#hasRoom(0)) this.#room.open();
    if (this.#state !== "stopping") return true;
    this.#end();
    return false;
  }

  /** client-go has a `SingleFileTracker` for this, tools/cache/synctrack. */
  #checkSynced(): void {
    if (this.#hasSynced || !this.#isSourceSynced || this.#initialLeft > 0) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  #checkSlow(durationMs: number): void {
    const { backlog } = this;
    const { onSlowHandler } = this.#hooks;
    if (onSlowHandler === undefined) return;
    if (durationMs <= slowCallbackMs || backlog <= longBacklog) return;
    callHook(() => {
      onSlowHandler({ name: this.name, durationMs, backlog });
    });
  }

  #checkBacklog(): void {
    const changes = this.backlog - this.#initialLeft;
    if (changes > warnBacklog) this.#warnOfBacklog();
    else {
      this.#warnTimer ??= this.#budget.clock.setTimeout(() => {
        this.#warnTimer = undefined;
        if (this.backlog > this.#warnAbove) this.#warnOfBacklog();
      }, initialListMs);
    }
  }

  #warnOfBacklog(): void {
    this.#warnAbove = Infinity;
    this.#warnTimer?.cancel();
    callHook(() => this.#hooks.onLongBacklog?.(this.name, this.backlog));
  }

  #end(): void {
    this.#warnTimer?.cancel();
    this.#room.open();
    this.#budget.leave();
    this.#state = "ended";
    this.#noteEmpty();
    const reason = "ended before it had processed the first list";
    if (!this.#hasSynced) this.#synced.reject(new NotSyncedError([{ name: this.name, reason }]));
    this.#ended.resolve();
  }
}
