import { systemClock, type Clock } from "@listwatch/core-fifo";
import { defaultMaxEvents, type EventsOptions, type EventStream } from "./event-stream.ts";
import type { Notification } from "../cache/informer-event.ts";
import type { Listener } from "../delivery/shared-processor.ts";
import { turnShareOf, type TurnShare } from "../delivery/turn-share.ts";
import type { EventBuffer } from "./event-buffer.ts";

/** How a stream is connected to its informer. */
export interface EventStreamHooks<T> {
  /** Called before the first read, when the stream begins to listen. */
  readonly open: (stream: BufferedEventStream<T>) => void;
  /** Called when the reader leaves. */
  readonly close: (stream: BufferedEventStream<T>) => void;
}

/** An event stream with its buffer. */
export class BufferedEventStream<T> implements EventStream<T>, Listener<T> {
  readonly name: string;
  /** Pending while a blocking stream is full. */
  readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
  readonly #buffer: EventBuffer<T>;
  readonly #max: number;
  readonly #hooks: EventStreamHooks<T>;
  readonly #signal: AbortSignal | undefined;
  readonly #share: TurnShare;
  readonly #readers: ((result: IteratorResult<Notification<T>, undefined>) => void)[] = [];
  #state: "created" | "open" | "ended" = "created";
  #reads = 0;
  #sliceEndMs = 0;
  /** Pending while reads wait for another turn; all of them, so that they keep their order. */
  #pause: Promise<void> | undefined;
  #room: { readonly promise: Promise<void>; resolve(): void } | undefined;

  constructor(
    buffer: EventBuffer<T>,
    hooks: EventStreamHooks<T>,
    options: EventsOptions & { readonly clock?: Clock | undefined },
  ) {
    this.name = options.name ?? "events";
    this.#buffer = buffer;
    this.#hooks = hooks;
    this.#max = options.max ?? defaultMaxEvents;
    this.waitForRoom = options.overflow === "block" ? () => this.#waitForRoom() : undefined;
    this.#signal = options.signal;
    this.#share = turnShareOf(options.clock ?? systemClock);
  }

  /** Events that wait to be read. */
  get backlog(): number {
    return this.#buffer.length;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Notification<T>, undefined>> {
    this.#open();
    if (++this.#reads >= readsPerLook) this.#lookAtClock();
    if (this.#pause !== undefined) await this.#pause;
    if (this.#readers.length === 0) {
      const notification = this.#buffer.shift();
      if (notification !== undefined) return this.#read(notification);
    }
    if (this.#state === "ended") return { done: true, value: undefined };
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<IteratorResult<Notification<T>, undefined>> {
    if (this.#state === "open") this.#hooks.close(this);
    await this.stop();
    return { done: true, value: undefined };
  }

  push(notification: Notification<T>): void {
    if (this.#state === "ended") return;
    this.#buffer.push(notification);
    this.#serve();
  }

  sourceSynced(): void {}

  start(): void {}

  stop(): Promise<void> {
    this.#state = "ended";
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#buffer.clear();
    this.#room?.resolve();
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    return Promise.resolve();
  }

  #waitForRoom(): Promise<void> | undefined {
    if (this.#state === "ended" || this.#buffer.length < this.#max) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  #open(): void {
    if (this.#state !== "created") return;
    this.#state = "open";
    if (this.#signal?.aborted === true) {
      void this.stop();
      return;
    }
    this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#hooks.open(this);
  }

  /** A reader that never waits would keep everybody else from running. */
  #lookAtClock(): void {
    this.#reads = 0;
    if (this.#share.clock.now() < this.#sliceEndMs || this.#buffer.length === 0) return;
    this.#pause ??= this.#nextTurn();
  }

  async #nextTurn(): Promise<void> {
    const { clock } = this.#share;
    await clock.nextTurn();
    this.#pause = undefined;
    this.#sliceEndMs = clock.now() + this.#share.sliceMs;
  }

  readonly #onAbort = (): void => {
    void this.return();
  };

  #serve(): void {
    while (this.#readers.length > 0) {
      const notification = this.#buffer.shift();
      if (notification === undefined) return;
      this.#readers.shift()?.(this.#read(notification));
    }
  }

  #read(value: Notification<T>): IteratorResult<Notification<T>, undefined> {
    if (this.#room !== undefined && this.#buffer.length < this.#max) {
      this.#room.resolve();
      this.#room = undefined;
    }
    return { done: false, value };
  }
}

/** Reading a clock costs about as much as a read. */
const readsPerLook = 32;
