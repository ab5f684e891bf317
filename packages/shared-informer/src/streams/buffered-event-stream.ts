import type { Cached, Clock } from "@listwatch/core-fifo";
import { CapacityLatch, checkOptions, Deque, TimeBudget } from "@listwatch/core-fifo/base";
import type { DeleteEvent, InformerEvent } from "../cache/informer-event.ts";
import type { Listener } from "../delivery/shared-processor.ts";
import {
  defaultMaxEvents,
  eventsTable,
  type EventsOptions,
  type EventStream,
  type OverflowPolicy,
} from "./event-stream.ts";

/** Reading a clock costs about as much as a read. */
const readsPerLook = 32;

/** The informer of a stream. */
interface StreamedInformer<T> {
  readonly isStopped: boolean;
  addListener(listener: Listener<T>, options: { readonly changesOnly: true }): void;
  removeListener(listener: Listener<T>): Promise<void>;
}

/** Parts of an informer that a stream uses. */
interface EventStreamParts<T> {
  readonly informer: StreamedInformer<T>;
  readonly clock: Clock;
  /** Called when the reader has read everything, and at the end. */
  readonly onEmpty: ((name: string) => void) | undefined;
  readonly snapshot: Snapshot<T>;
}

/** An event stream with its buffer. */
export class BufferedEventStream<T> implements EventStream<T>, Listener<T> {
  readonly name: string;
  /** Pending while a blocking stream is full. */
  readonly waitForRoom: (() => Promise<void> | undefined) | undefined;
  readonly #buffer: EventBuffer<T>;
  readonly #max: number;
  readonly #parts: EventStreamParts<T>;
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

  constructor(parts: EventStreamParts<T>, options: EventsOptions) {
    checkOptions(options, eventsTable);
    const { max = defaultMaxEvents, name = "events", overflow = "coalesce" } = options;
    this.name = name;
    this.#buffer = createBuffer(overflow, max, parts.snapshot);
    this.#parts = parts;
    this.#max = max;
    this.waitForRoom = overflow === "block" ? () => this.#waitForRoom() : undefined;
    this.#signal = options.signal;
    this.#budget = new TimeBudget({
      clock: parts.clock,
      itemsPerLook: readsPerLook,
      isShared: true,
    });
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
    this.#parts.onEmpty?.(this.name);
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<IteratorResult<InformerEvent<T>, undefined>> {
    if (this.#state === "open") void this.#parts.informer.removeListener(this);
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
    this.#parts.onEmpty?.(this.name);
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
    const { informer } = this.#parts;
    if (informer.isStopped) void this.stop();
    else informer.addListener(this, { changesOnly: true });
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

/** Unread events of a reader. */
interface EventBuffer<T> {
  readonly length: number;
  push(event: InformerEvent<T>): void;
  /** Removes and returns the next event; `undefined` if there is none. */
  shift(): InformerEvent<T> | undefined;
  clear(): void;
}

/** Unread events of one key: the changes from the state that the reader knows to the current one. */
interface Waiting<T> {
  /** The state that the reader got last, if it gets an update. */
  old: Cached<T> | undefined;
  /** A deletion to deliver before the object that followed it. */
  gone: DeleteEvent<T> | undefined;
  /** Whether the reader knows the object of `newest`. */
  known: boolean;
  newest: InformerEvent<T>;
}

/**
 * Keeps the newest state of each key, and the state that the reader knows. An object that comes and
 * goes in between is skipped. At most two events wait for each key.
 */
export class CoalescingBuffer<T> implements EventBuffer<T> {
  readonly #waiting = new Map<string, Waiting<T>>();
  /**
   * The keys that leave next, the next one last. Reading the first entry of a map takes time for
   * each one deleted before it in V8, so the entries are read together.
   */
  #line: Waiting<T>[] = [];

  /** Number of keys with unread events. */
  get length(): number {
    return this.#waiting.size;
  }

  push(event: InformerEvent<T>): void {
    const { key, type } = event;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      const old = type === "update" ? event.old : undefined;
      const known = type !== "add";
      this.#waiting.set(key, { old, gone: undefined, known, newest: event });
    } else if (type === "delete") {
      if (!waiting.known && waiting.gone === undefined) this.#waiting.delete(key);
      else Object.assign(waiting, { gone: undefined, known: true, newest: event });
    } else if (waiting.newest.type === "delete") {
      const gone = waiting.newest;
      Object.assign(waiting, { gone, old: undefined, known: false, newest: event });
    } else {
      const { newest } = waiting;
      const { object } = event;
      waiting.newest = newest.type === "add" ? { ...newest, object } : event;
    }
  }

  shift(): InformerEvent<T> | undefined {
    const waiting = this.#first();
    if (waiting === undefined) return undefined;
    const { gone, newest, old } = waiting;
    if (gone !== undefined) {
      waiting.gone = undefined;
      return gone;
    }
    this.#waiting.delete(newest.key);
    if (newest.type !== "update" || old === undefined) return newest;
    return { type: "update", key: newest.key, old, object: newest.object };
  }

  /** Returns what waits longest. O(1) amortised. */
  #first(): Waiting<T> | undefined {
    if (this.#waiting.size === 0) return undefined;
    for (;;) {
      if (this.#line.length === 0) this.#line = [...this.#waiting.values()].reverse();
      const waiting = this.#line.at(-1);
      if (waiting === undefined || this.#waiting.get(waiting.newest.key) === waiting)
        return waiting;
      // It was delivered, or deleted before the reader knew it.
      this.#line.pop();
    }
  }

  clear(): void {
    this.#waiting.clear();
    this.#line = [];
  }
}

/** Returns the current content of the cache, by key. */
type Snapshot<T> = () => Iterable<readonly [key: string, object: Cached<T>]>;

/**
 * Keeps a limited backlog. If it is exceeded, drops it, and later delivers the difference between
 * the state that the reader knows and the cache. Remembers that state: one reference per object.
 */
class ResyncingBuffer<T> implements EventBuffer<T> {
  readonly #max: number;
  readonly #snapshot: Snapshot<T>;
  readonly #waiting = new Deque<InformerEvent<T>>();
  readonly #known = new Map<string, Cached<T>>();
  /** Events since the last difference, which may itself exceed the limit. */
  #pushed = 0;
  #overflowed = false;
  /** Adds of the initial list that were pushed and neither read nor dropped. */
  #initialLeft = 0;

  constructor(max: number, snapshot: Snapshot<T>) {
    this.#max = max;
    this.#snapshot = snapshot;
  }

  get length(): number {
    return this.#overflowed ? 1 : this.#waiting.length;
  }

  push(event: InformerEvent<T>): void {
    if (event.type === "add" && event.isInInitialList) this.#initialLeft++;
    if (this.#overflowed) return;
    if (this.#waiting.length === 0) this.#pushed = 0;
    this.#waiting.push(event);
    if (++this.#pushed > this.#max) {
      this.#waiting.clear();
      this.#overflowed = true;
    }
  }

  shift(): InformerEvent<T> | undefined {
    if (this.#overflowed) this.#queueDifference();
    for (;;) {
      const event = this.#waiting.shift();
      if (event === undefined) return undefined;
      if (event.type === "add" && event.isInInitialList && this.#initialLeft > 0) {
        this.#initialLeft--;
      }
      if (this.#learn(event)) return event;
    }
  }

  /** Returns whether the event is new: a difference already contains later changes of a list. */
  #learn(event: InformerEvent<T>): boolean {
    const { key } = event;
    if (event.type === "delete") return this.#known.delete(key);
    const isNews = this.#known.get(key) !== event.object;
    this.#known.set(key, event.object);
    return isNews;
  }

  clear(): void {
    this.#waiting.clear();
    this.#overflowed = false;
  }

  /** Deletions come first, as in a relist. */
  #queueDifference(): void {
    this.#overflowed = false;
    this.#pushed = 0;
    const present = new Map(this.#snapshot());
    for (const [key, object] of this.#known) {
      if (!present.has(key)) this.#waiting.push({ type: "delete", key, stale: true, object });
    }
    const isInInitialList = this.#initialLeft > 0;
    this.#initialLeft = 0;
    for (const [key, object] of present) {
      const old = this.#known.get(key);
      if (old === undefined) this.#waiting.push({ type: "add", key, object, isInInitialList });
      else if (old !== object) this.#waiting.push({ type: "update", key, old, object });
    }
  }
}
