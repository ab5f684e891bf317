import { systemClock, type Clock } from "@listwatch/core-fifo";
import { abortOf } from "./abort-of.ts";
import { ResyncSchedule } from "./resync-schedule.ts";
import type { Notification } from "../cache/informer-event.ts";

/** A mailbox that a {@link SharedProcessor} distributes to; {@link ProcessorListener} is one. */
export interface Listener<T> {
  readonly name: string;
  /** Notifications that wait. */
  readonly backlog: number;
  /** Takes a notification; must not throw and must not wait. */
  push(notification: Notification<T>): void;
  /** Tells that all initial items have been pushed. */
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
   * How often the source asks {@link SharedProcessor.shouldResync}, in ms; 0 means never.
   *
   * @default 0
   */
  readonly resyncCheckPeriodMs?: number | undefined;
}

/** Options of {@link SharedProcessor.addListener}. */
export interface AddListenerOptions {
  /**
   * Whether the listener is spared updates that change nothing, whether it asked for them by
   * `resyncMs` or not. Without it, it gets those of relists until the first resync (SI-21).
   *
   * @default false
   */
  readonly changesOnly?: boolean | undefined;
  /**
   * How often the listener wants every object again, in ms; 0 means never.
   *
   * @default 0
   */
  readonly resyncMs?: number | undefined;
}

/**
 * Hands every notification to any number of listeners, each with a mailbox of its own, so that none
 * waits for another.
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
export class SharedProcessor<T> {
  readonly #clock: Clock;
  readonly #members = new Map<Listener<T>, ResyncSchedule>();
  /**
   * The keys of #members; iterating over an array takes half the time of a fan-out. Replaced, never
   * changed.
   */
  #listeners: readonly Listener<T>[] = [];
  /** Those that can be full. */
  #limited: readonly Listener<T>[] = [];
  /** Ends of listeners that were taken out; a stop waits for them, too. */
  readonly #leaving = new Set<Promise<void>>();
  #resyncCheckPeriodMs: number;
  #phase: "created" | "running" | "stopped" = "created";

  constructor(options: SharedProcessorOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#resyncCheckPeriodMs = options.resyncCheckPeriodMs ?? 0;
  }

  /** The listeners, in the order in which they came. */
  get listeners(): readonly Listener<T>[] {
    return this.#listeners;
  }

  /** Adds a listener; it is run at once if the processor runs, otherwise with it (SI-22). */
  addListener(listener: Listener<T>, options: AddListenerOptions = {}): void {
    const { changesOnly = false, resyncMs = 0 } = options;
    const schedule = new ResyncSchedule(
      changesOnly ? 0 : resyncMs,
      this.#resyncCheckPeriodMs,
      this.#clock.now(),
    );
    if (changesOnly) schedule.syncing = false;
    this.#members.set(listener, schedule);
    this.#setListeners();
    if (this.#phase === "running") listener.start();
    if (this.#phase === "stopped") void listener.stop();
  }

  /**
   * Takes a listener out: it gets nothing more, what waits is dropped, and the promise resolves
   * when the callback in progress has returned (SI-15, SI-31). Does nothing for a listener that is
   * not there.
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

  /** Hands a notification to every listener. O(listeners). */
  distribute(notification: Notification<T>): void {
    const listeners = this.#listeners;
    for (let index = 0; index < listeners.length; index++) listeners[index]?.push(notification);
  }

  /**
   * Hands a notification that tells of no change to the listeners that take part in the resync
   * (SI-21).
   */
  distributeResync(notification: Notification<T>): void {
    for (const [listener, schedule] of this.#members) {
      if (schedule.syncing) listener.push(notification);
    }
  }

  /** Tells every listener that all initial items have been distributed. */
  sourceSynced(): void {
    for (const listener of this.#listeners) listener.sourceSynced();
  }

  /** Marks the listeners whose time for a resync has come; tells whether there are any (SI-20). */
  shouldResync(): boolean {
    const nowMs = this.#clock.now();
    let any = false;
    for (const schedule of this.#members.values()) {
      if (schedule.check(nowMs)) any = true;
    }
    return any;
  }

  /** Sets how often {@link SharedProcessor.shouldResync} will be asked, in ms. */
  setResyncCheckPeriod(periodMs: number): void {
    this.#resyncCheckPeriodMs = periodMs;
    for (const schedule of this.#members.values()) schedule.setCheckPeriod(periodMs);
  }

  /** Runs all listeners, also those that come later; resolves after an abort, when all have ended. */
  async run(signal: AbortSignal): Promise<void> {
    if (!signal.aborted) {
      this.#phase = "running";
      for (const listener of this.#listeners) listener.start();
      await abortOf(signal);
    }
    this.#phase = "stopped";
    await Promise.all([...this.#leaving, ...this.#listeners.map((listener) => listener.stop())]);
  }

  #setListeners(): void {
    this.#listeners = [...this.#members.keys()];
    this.#limited = this.#listeners.filter(({ waitForRoom }) => waitForRoom !== undefined);
  }
}
