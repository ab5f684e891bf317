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
} from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import { callHandler, type ResourceEventHandler } from "./resource-event-handler.ts";
import { NotSyncedError } from "./not-synced-error.ts";
import { SyncTracker } from "./sync-tracker.ts";

provideDispose();

/** A callback that took long while many events waited behind it. */
export interface SlowHandlerReport {
  /** Name of the handler. */
  readonly name: string;
  /** How long the callback took, in ms. */
  readonly durationMs: number;
  /** Events that waited when it returned. */
  readonly backlog: number;
}

/** What a {@link ProcessorListener} reports about the handler it calls. */
export interface ListenerHooks<T> {
  /** Called with what a callback threw or rejected with; the event counts as processed. */
  readonly onHandlerError?:
    | ((error: unknown, listener: ProcessorListener<T>, event: InformerEvent<T>) => void)
    | undefined;
  /** Called for a callback of more than 100 ms while more than 1024 events wait. */
  readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
  /**
   * Called once, when more than 10,000 events wait; those of an initial list count after 10 s, so
   * that a large list alone is not reported.
   */
  readonly onLongBacklog?: ((handler: string, backlog: number) => void) | undefined;
  /** Called when the handler has processed everything, and at its end. */
  readonly onEmpty?: ((handler: string) => void) | undefined;
}

/** Options of a {@link ProcessorListener}. */
export interface ProcessorListenerOptions<T> extends ListenerHooks<T> {
  /** Name for reports. @default "handler" */
  readonly name?: string | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Events, with the one in progress, up to which the source may go on; 0 makes it wait until each
   * batch is processed.
   *
   * @default Infinity: the source never waits
   */
  readonly maxBacklog?: number | undefined;
}

/** client-go 1.36 traces callbacks over 100 ms when more than 1024 events are pending. */
const slowCallbackMs = 100;
const longBacklog = 1024;

/** Events that wait for a handler which does not keep up. */
const warnBacklog = 10_000;

/** Time that a handler has for a large initial list. */
const initialListMs = 10_000;

/** Reading a clock costs as much as ten callbacks: most quick callbacks between two readings. */
const maxUnclocked = 64;

type State =
  | "created" //    not run yet; events wait
  | "idle" //       nothing waits
  | "scheduled" //  will deliver in a microtask or a later turn
  | "delivering" // a callback is in progress
  | "stopping" //   a callback is in progress and is the last one
  | "ended";

/**
 * A mailbox with one consumer: holds the events for one handler and calls it, one event after the
 * other.
 *
 * ```text
 *   push ──▶ mailbox ──▶ handler, awaited if it returns a promise
 * ```
 *
 * Unbounded: the producer is never blocked, and a slow handler costs memory (see
 * {@link ProcessorListener.backlog}), not time of other handlers. A batch of events costs one
 * microtask, an event for a synchronous callback no promise; a long backlog gives up the turn every
 * 8 ms, which all listeners on one clock share.
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
  readonly name: string;
  /** Pending while there are more events than `maxBacklog`; absent when there is no limit. */
  readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
  readonly #handler: ResourceEventHandler<T>;
  readonly #hooks: ListenerHooks<T>;
  readonly #budget: TimeBudget;
  readonly #tracker = new SyncTracker();
  readonly #ended = Promise.withResolvers<void>();
  readonly #mailbox = new Deque<InformerEvent<T>>();
  readonly #maxBacklog: number;
  readonly #room = new CapacityLatch();
  #state: State = "created";
  #hasRun = false;
  /** Infinity when nothing is to be said any more. */
  #warnAbove: number;
  #warnTimer: Timer | undefined;
  #clockEvery = 1;
  #callbackSinceMs: number | undefined;

  constructor(handler: ResourceEventHandler<T>, options: ProcessorListenerOptions<T> = {}) {
    this.name = options.name ?? "handler";
    this.#handler = handler;
    this.#hooks = options;
    this.#maxBacklog = options.maxBacklog ?? Infinity;
    this.waitForRoom = this.#maxBacklog === Infinity ? undefined : () => this.#waitForRoom();
    this.#budget = new TimeBudget({ clock: options.clock, isShared: true });
    this.#warnAbove = options.onLongBacklog === undefined ? Infinity : warnBacklog;
  }

  /** Events that wait, without the one in progress. */
  get backlog(): number {
    return this.#mailbox.length;
  }

  /** When the callback in progress began; `undefined` while no promise of one is pending. */
  get callbackSinceMs(): number | undefined {
    return this.#callbackSinceMs;
  }

  /** Whether the source has synced and every initial add has been processed. Never goes back. */
  get hasSynced(): boolean {
    return this.#tracker.hasSynced;
  }

  /**
   * Resolves when {@link ProcessorListener.hasSynced} turns true; rejects when the listener ends
   * before.
   */
  get synced(): Promise<void> {
    return this.#tracker.synced;
  }

  /** Resolves when the listener was stopped and the callback in progress has returned. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Puts an event into the mailbox; does nothing once the listener was stopped. */
  push(event: InformerEvent<T>): void {
    if (this.#state === "stopping" || this.#state === "ended") return;
    if (event.type === "add" && event.isInInitialList) this.#tracker.start();
    this.#mailbox.push(event);
    if (this.#mailbox.length > this.#warnAbove) this.#checkBacklog();
    if (this.#state === "idle") this.#schedule();
  }

  /** Notes that the source has handed over its whole initial list. */
  sourceSynced(): void {
    this.#tracker.sourceSynced();
  }

  /** Begins to deliver. Does nothing if it has begun or was stopped. */
  start(): void {
    if (this.#state !== "created") return;
    this.#state = "idle";
    if (this.#mailbox.length > 0) this.#schedule();
  }

  /**
   * {@link ProcessorListener.start}, and {@link ProcessorListener.stop} on abort; resolves when the
   * listener has ended.
   *
   * @throws {AlreadyRunningError} if it was run before
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
   * Drops what waits and resolves when the callback in progress has returned. Idempotent. Do not
   * await it inside a callback of the same handler: they would wait for each other.
   */
  stop(): Promise<void> {
    if (this.#state === "ended" || this.#state === "stopping") return this.#ended.promise;
    this.#mailbox.clear();
    if (this.#state === "delivering") this.#state = "stopping";
    else this.#end();
    return this.#ended.promise;
  }

  /** {@link ProcessorListener.stop}. */
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
      const pending = this.#call(event);
      if (pending !== undefined) {
        this.#awaitCallback(pending, event);
        return;
      }
      if (!this.#finish(event)) return;
      if (++unclocked < this.#clockEvery) continue;
      const nowMs = clock.now();
      if (unclocked === 1) this.#checkSlow(nowMs - sinceMs);
      // Quick callbacks are clocked in ever larger groups, slow ones one by one.
      this.#clockEvery = nowMs - sinceMs < 0.1 ? Math.min(this.#clockEvery * 2, maxUnclocked) : 1;
      if (this.#budget.isSpentAt(nowMs)) {
        this.#scheduleNextTurn();
        return;
      }
      unclocked = 0;
      sinceMs = nowMs;
    }
  }

  /** Returns the promise of an asynchronous callback; never throws. */
  #call(event: InformerEvent<T>): PromiseLike<unknown> | undefined {
    try {
      const result = callHandler(this.#handler, event);
      return isPromiseLike(result) ? result : undefined;
    } catch (error) {
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
      if (this.#budget.isSpentAt(nowMs)) this.#scheduleNextTurn();
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

  /** Counts an event as processed; returns whether the listener goes on. */
  #finish(event: InformerEvent<T>): boolean {
    if (event.type === "add" && event.isInInitialList) this.#tracker.finish();
    if (this.#room.isAwaited && this.#hasRoom(0)) this.#room.open();
    if (this.#state !== "stopping") return true;
    this.#end();
    return false;
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
    const changes = this.backlog - this.#tracker.pending;
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
    this.#tracker.end(new NotSyncedError([{ name: this.name, reason }]));
    this.#ended.resolve();
  }
}
