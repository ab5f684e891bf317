import { systemClock, type Clock } from "@listwatch/core-fifo";
import { NotSyncedError } from "./errors.ts";
import { callHook } from "./call-hook.ts";
import { isThenable } from "./thenable.ts";
import { turnShareOf, type TurnShare } from "./turn-share.ts";
import { deliver, type Notification } from "../cache/informer-event.ts";
import type { ResourceEventHandler } from "./resource-event-handler.ts";
import { SyncTracker } from "./sync-tracker.ts";

/** A callback that took long while many notifications waited behind it. */
export interface SlowHandlerReport {
  /** Name of the handler. */
  readonly name: string;
  /** How long the callback took, in ms. */
  readonly durationMs: number;
  /** Notifications that waited when it returned. */
  readonly backlog: number;
}

/** What a {@link ProcessorListener} reports about the handler it calls. */
export interface ListenerHooks<T> {
  /**
   * Called with what a callback threw or rejected with; the notification counts as processed
   * (SI-25).
   */
  readonly onHandlerError?:
    | ((error: unknown, listener: ProcessorListener<T>, notification: Notification<T>) => void)
    | undefined;
  /** Called for a callback of more than 100 ms while more than 1024 notifications wait (SI-26). */
  readonly onSlowHandler?: ((report: SlowHandlerReport) => void) | undefined;
}

/** Options of a {@link ProcessorListener}. */
export interface ProcessorListenerOptions<T> extends ListenerHooks<T> {
  /** Name for reports. @default "handler" */
  readonly name?: string | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Notifications, with the one in progress, up to which the source may go on; 0 makes it wait for
   * each batch to be through.
   *
   * @default Infinity: the source never waits
   */
  readonly maxBacklog?: number | undefined;
}

/** SI-26: client-go traces callbacks over 100 ms when more than 1024 notifications are pending. */
const slowCallbackMs = 100;
const longBacklog = 1024;

/** Reading a clock costs as much as ten callbacks, so it is read after this many quick ones at most. */
const maxUnclocked = 64;

/**
 * A mailbox that has run empty keeps no more slots than this, so that one flood does not cost
 * memory for ever.
 */
const keptSlots = 4096;

type State =
  | "created" //    not run yet; notifications wait
  | "idle" //       nothing waits
  | "scheduled" //  will deliver in a microtask or a later turn
  | "delivering" // a callback is in progress
  | "stopping" //   a callback is in progress and is the last one
  | "ended";

/**
 * A mailbox with one consumer: holds the notifications for one handler and calls it, one
 * notification after the other.
 *
 * ```text
 *   push ──▶ inbox ──(outbox empty)──▶ outbox ──▶ handler, awaited if it returns a promise
 * ```
 *
 * Unbounded: who pushes is never blocked, and a slow handler costs memory (see
 * {@link ProcessorListener.backlog}), not time of other handlers. A batch of notifications costs
 * one microtask, a notification for a synchronous callback no promise; a long backlog gives up the
 * turn every 8 ms.
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
export class ProcessorListener<T> {
  readonly name: string;
  /** Pending while there are more notifications than `maxBacklog`; absent when there is no limit. */
  readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
  readonly #handler: ResourceEventHandler<T>;
  readonly #hooks: ListenerHooks<T>;
  readonly #share: TurnShare;
  readonly #tracker = new SyncTracker();
  readonly #ended = Promise.withResolvers<void>();
  #state: State = "created";
  // Both arrays keep their slots when they run empty and are filled from the front again; the
  // counters say what is in them. A slot is cleared when its notification is taken, so that a long
  // batch does not keep its objects alive.
  #inbox: (Notification<T> | undefined)[] = [];
  #inboxCount = 0;
  #outbox: (Notification<T> | undefined)[] = [];
  #outboxCount = 0;
  #next = 0;
  #sliceEndMs = 0;
  #clockEvery = 1;
  readonly #maxBacklog: number;
  #room: { readonly promise: Promise<void>; resolve(): void } | undefined;

  constructor(handler: ResourceEventHandler<T>, options: ProcessorListenerOptions<T> = {}) {
    this.name = options.name ?? "handler";
    this.#handler = handler;
    this.#hooks = options;
    this.#maxBacklog = options.maxBacklog ?? Infinity;
    this.waitForRoom = this.#maxBacklog === Infinity ? undefined : () => this.#waitForRoom();
    this.#share = turnShareOf(options.clock ?? systemClock);
  }

  /** Notifications that wait, without the one in progress. */
  get backlog(): number {
    return this.#inboxCount + this.#outboxCount - this.#next;
  }

  /**
   * Whether the source has synced and every initial add has been processed (SI-13). Never goes
   * back.
   */
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

  /** Resolves when the listener was told to stop and the callback in progress has returned. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Puts a notification into the mailbox; does nothing once the listener was told to stop. */
  push(notification: Notification<T>): void {
    if (this.#state === "stopping" || this.#state === "ended") return;
    if (notification.type === "add" && notification.isInInitialList) this.#tracker.start();
    this.#inbox[this.#inboxCount++] = notification;
    if (this.#state === "idle") this.#schedule();
  }

  /** Tells that the source has handed over its whole initial list. */
  sourceSynced(): void {
    this.#tracker.sourceSynced();
  }

  /** Begins to deliver. Does nothing if it has begun or was stopped. */
  start(): void {
    if (this.#state !== "created") return;
    this.#state = "idle";
    if (this.#inboxCount > 0) this.#schedule();
  }

  /**
   * {@link ProcessorListener.start}, and {@link ProcessorListener.stop} on abort; resolves when the
   * listener has ended.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return this.stop();
    const onAbort = (): void => {
      void this.stop();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.start();
    await this.#ended.promise;
    signal.removeEventListener("abort", onAbort);
  }

  /**
   * Drops what waits and resolves when the callback in progress has returned (SI-6, SI-31).
   * Idempotent. Do not await it inside a callback of the same handler: they would wait for each
   * other.
   */
  stop(): Promise<void> {
    if (this.#state === "ended" || this.#state === "stopping") return this.#ended.promise;
    this.#inbox = [];
    this.#outbox = [];
    this.#inboxCount = this.#outboxCount = this.#next = 0;
    if (this.#state === "delivering") this.#state = "stopping";
    else this.#end();
    return this.#ended.promise;
  }

  #schedule(): void {
    this.#state = "scheduled";
    this.#share.enter();
    queueMicrotask(this.#begin);
  }

  readonly #begin = (): void => {
    if (this.#state !== "scheduled") return;
    this.#sliceEndMs = this.#share.clock.now() + this.#share.sliceMs;
    this.#drain();
  };

  #drain(): void {
    this.#state = "delivering";
    const { clock } = this.#share;
    let unclocked = 0;
    let sinceMs = clock.now();
    for (;;) {
      const notification = this.#take();
      if (notification === undefined) {
        this.#state = "idle";
        this.#share.leave();
        return;
      }
      const pending = this.#call(notification);
      if (pending !== undefined) {
        this.#awaitCallback(pending, notification);
        return;
      }
      if (!this.#finish(notification)) return;
      if (++unclocked < this.#clockEvery) continue;
      const nowMs = clock.now();
      if (unclocked === 1) this.#checkSlow(nowMs - sinceMs);
      // Quick callbacks are clocked in ever larger groups, slow ones one by one.
      this.#clockEvery = nowMs - sinceMs < 0.1 ? Math.min(this.#clockEvery * 2, maxUnclocked) : 1;
      if (nowMs >= this.#sliceEndMs) {
        this.#state = "scheduled";
        void clock.nextTurn().then(this.#begin);
        return;
      }
      unclocked = 0;
      sinceMs = nowMs;
    }
  }

  #take(): Notification<T> | undefined {
    if (this.#next === this.#outboxCount) {
      if (this.#inboxCount === 0) return undefined;
      const emptied = this.#outbox.length > keptSlots ? [] : this.#outbox;
      this.#outbox = this.#inbox;
      this.#outboxCount = this.#inboxCount;
      this.#inbox = emptied;
      this.#inboxCount = this.#next = 0;
    }
    const notification = this.#outbox[this.#next];
    this.#outbox[this.#next++] = undefined;
    return notification;
  }

  /** Gives back the promise of an asynchronous callback; never throws. */
  #call(notification: Notification<T>): PromiseLike<unknown> | undefined {
    try {
      const result = deliver(this.#handler, notification);
      return isThenable(result) ? result : undefined;
    } catch (error) {
      this.#report(error, notification);
      return undefined;
    }
  }

  #report(error: unknown, notification: Notification<T>): void {
    const { onHandlerError } = this.#hooks;
    if (onHandlerError === undefined) return;
    callHook(() => {
      onHandlerError(error, this, notification);
    });
  }

  #awaitCallback(pending: PromiseLike<unknown>, notification: Notification<T>): void {
    const { clock } = this.#share;
    this.#share.leave();
    const sinceMs = clock.now();
    const resume = (): void => {
      this.#share.enter();
      if (!this.#finish(notification)) return;
      const nowMs = clock.now();
      this.#checkSlow(nowMs - sinceMs);
      if (nowMs < this.#sliceEndMs) {
        this.#drain();
      } else {
        this.#state = "scheduled";
        void clock.nextTurn().then(this.#begin);
      }
    };
    Promise.resolve(pending).then(resume, (error: unknown) => {
      this.#report(error, notification);
      resume();
    });
  }

  #waitForRoom(): Promise<void> | undefined {
    const isBusy = this.#state === "delivering" || this.#state === "stopping";
    if (this.#state === "ended" || this.#hasRoom(isBusy ? 1 : 0)) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  #hasRoom(inProgress: number): boolean {
    return this.backlog + inProgress <= this.#maxBacklog;
  }

  /** Counts a notification as processed; tells whether the listener goes on. */
  #finish(notification: Notification<T>): boolean {
    if (notification.type === "add" && notification.isInInitialList) this.#tracker.finish();
    if (this.#room !== undefined && this.#hasRoom(0)) this.#makeRoom();
    if (this.#state !== "stopping") return true;
    this.#share.leave();
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

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #end(): void {
    this.#makeRoom();
    if (this.#state === "scheduled") this.#share.leave();
    this.#state = "ended";
    this.#tracker.end(new NotSyncedError([this.name]));
    this.#ended.resolve();
  }
}
