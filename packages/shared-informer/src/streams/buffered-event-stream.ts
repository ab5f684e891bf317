import type { Clock } from "@listwatch/core-fifo";
import { CapacityLatch, Deque, TimeBudget } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import type { Listener } from "../delivery/shared-processor.ts";
import { CoalescingBuffer } from "./coalescing-buffer.ts";
import {
  defaultMaxEvents,
  type EventBuffer,
  type EventsOptions,
  type EventStream,
  type OverflowPolicy,
} from "./event-stream.ts";
import { ResyncingBuffer, type Snapshot } from "./resyncing-buffer.ts";

/** Reading a clock costs about as much as a read. */
const readsPerLook = 32;

/** Connects a stream to its informer. */
export interface EventStreamHooks<T> {
  /** Called before the first read, to start listening. */
  readonly open: (stream: BufferedEventStream<T>) => void;
  /** Called when the reader leaves. */
  readonly close: (stream: BufferedEventStream<T>) => void;
  /** Called when the reader has read everything, and at the end. */
  readonly empty: ((name: string) => void) | undefined;
  /** Returns the content of the cache. */
  readonly snapshot: Snapshot<T>;
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
  readonly #budget: TimeBudget;
  readonly #readers = new Deque<(result: IteratorResult<InformerEvent<T>, undefined>) => void>();
  readonly #room = new CapacityLatch();
  #state: "created" | "open" | "ended" = "created";
  /**
   * Pending while reads wait for another turn. All later reads wait too, so that they keep their
   * order.
   */
  #pause: Promise<void> | undefined;

  constructor(
    hooks: EventStreamHooks<T>,
    options: EventsOptions & { readonly clock?: Clock | undefined },
  ) {
    const { clock, max = defaultMaxEvents, name = "events", overflow = "coalesce" } = options;
    this.name = name;
    this.#buffer = createBuffer(overflow, max, hooks.snapshot);
    this.#hooks = hooks;
    this.#max = max;
    this.waitForRoom = overflow === "block" ? () => this.#waitForRoom() : undefined;
    this.#signal = options.signal;
    this.#budget = new TimeBudget({ clock, itemsPerLook: readsPerLook, isShared: true });
  }

  /** Number of unread events. */
  get backlog(): number {
    return this.#buffer.length;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<InformerEvent<T>, undefined>> {
    this.#open();
    // A reader that never waits would block the event loop.
    if (this.#budget.count() && this.#buffer.length > 0) this.#pause ??= this.#nextTurn();
    if (this.#pause !== undefined) await this.#pause;
    if (this.#readers.length === 0) {
      const event = this.#buffer.shift();
      if (event !== undefined) return this.#read(event);
    }
    if (this.#state === "ended") return { done: true, value: undefined };
    this.#hooks.empty?.(this.name);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<IteratorResult<InformerEvent<T>, undefined>> {
    if (this.#state === "open") this.#hooks.close(this);
    await this.stop();
    return { done: true, value: undefined };
  }

  push(event: InformerEvent<T>): void {
    if (this.#state === "ended") return;
    this.#buffer.push(event);
    this.#serve();
  }

  sourceSynced(): void {}

  start(): void {}

  stop(): Promise<void> {
    this.#state = "ended";
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#buffer.clear();
    this.#hooks.empty?.(this.name);
    this.#room.open();
    const readers = [...this.#readers];
    this.#readers.clear();
    for (const reader of readers) reader({ done: true, value: undefined });
    return Promise.resolve();
  }

  #waitForRoom(): Promise<void> | undefined {
    if (this.#state === "ended" || this.#buffer.length < this.#max) return undefined;
    return this.#room.wait();
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

  async #nextTurn(): Promise<void> {
    await this.#budget.nextTurn();
    this.#pause = undefined;
  }

  readonly #onAbort = (): void => {
    void this.return();
  };

  #serve(): void {
    while (this.#readers.length > 0) {
      const event = this.#buffer.shift();
      if (event === undefined) return;
      this.#readers.shift()?.(this.#read(event));
    }
  }

  #read(value: InformerEvent<T>): IteratorResult<InformerEvent<T>, undefined> {
    if (this.#buffer.length < this.#max) this.#room.open();
    return { done: false, value };
  }
}

/** Creates the buffer of an overflow policy. */
function createBuffer<T>(
  overflow: OverflowPolicy,
  max: number,
  snapshot: Snapshot<T>,
): EventBuffer<T> {
  switch (overflow) {
    case "block":
      return new Deque<InformerEvent<T>>();
    case "resync":
      return new ResyncingBuffer(max, snapshot);
    case "coalesce":
  }
  return new CoalescingBuffer();
}
