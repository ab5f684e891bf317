import { type Clock, Deque, type JsonObject, type Timer } from "@listwatch/core-fifo/base";
import type { WatchSource } from "../faults/control/control-hooks.ts";
import type { EventFraming } from "../faults/stream/event-counter.ts";
import type { WatchEvent } from "../faults/stream/watch-event.ts";
import type { WatchEncoder, WatchItem } from "../output/watch-encoder.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ObjectFilter } from "./object-filter.ts";
import { ApiError } from "../api/api-error.ts";
import { statusOf } from "../api/status.ts";
import { OutgoingEvent } from "../output/outgoing-event.ts";
import type { WatchTranslator } from "./watch-translator.ts";

/** Content and duration of a {@link WatchStream}. */
export interface WatchStreamOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly store: ResourceStore;
  readonly filter: ObjectFilter;
  readonly translator: WatchTranslator;
  readonly encoder: WatchEncoder;
  /** Everything else cannot be written in the view that was asked for: the watch ends there. */
  readonly writesErrorsAlone: boolean;
  /** Live events have a greater revision. */
  readonly startRevision: number;
  /** Objects that are reported as ADDED first. */
  readonly initial: readonly StoredObject[];
  /** The bookmark that ends the initial events. */
  readonly initialEventsEnd: boolean;
  readonly bookmarks: boolean;
  readonly bookmarkIntervalMs: number;
  readonly timeoutMs: number;
  /** Converts objects before they are written. @default they can be written as they are */
  readonly prepare?: ((objects: readonly StoredObject[]) => Promise<void>) | undefined;
  /** Events that may wait for the reader. */
  readonly bufferEvents: number;
  /** Characters of JSON that these events may have together. */
  readonly bufferCharacters: number;
}

// The real server plans bookmarks for 2 s before the end and looks about once a second, so two of
// them come.
const lastBookmarksMs: readonly number[] = [2000, 1000];
// Waiting items are delivered in batches of about this many characters.
const chunkCharacters = 65_536;

/**
 * One open watch: a source of events that is read batch by batch.
 *
 * ```
 * initial objects ─▶ [end bookmark] ─▶ waiting items (bounded) ─▶ reader
 *                                       ▲ writes, bookmarks
 * ```
 *
 * A reader that is too slow for its buffer is cut off cleanly, as the real server does it, and
 * comes back with its last revision.
 */
export class WatchStream implements WatchSource {
  readonly startRevision: number;
  readonly framing: EventFraming;
  readonly #options: WatchStreamOptions;
  #nextInitial = 0;
  readonly #waiting = new Deque<WatchItem>();
  /** Size of the objects in waiting items. */
  #characters = 0;
  #sentRevision: number;
  readonly #limit: number;
  readonly #characterLimit: number;
  // The reader has asked for events and none was there.
  #reader: PromiseWithResolvers<readonly OutgoingEvent[] | undefined> | undefined;
  #waking = false;
  #ending = false;
  #closed = false;
  readonly #closeListeners: (() => void)[] = [];
  readonly #unsubscribe: () => void;
  readonly #timers = new Set<Timer>();

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.startRevision = options.startRevision;
    this.framing = options.encoder.framing;
    this.#sentRevision = options.startRevision;
    for (const event of options.store.eventsAfter(options.startRevision)) this.#translate(event);
    // History is shared with every other watch, so only what comes later counts.
    this.#limit = options.bufferEvents + this.#waiting.length;
    this.#characterLimit = options.bufferCharacters + this.#characters;
    if (options.initialEventsEnd) {
      const revision = options.startRevision;
      this.#waiting.unshift({ type: "BOOKMARK", revision, initialEventsEnd: true });
    }
    this.#unsubscribe = options.store.subscribe((event) => this.#receive(event));
    this.#schedule();
  }

  encodeError(status: JsonObject): Uint8Array {
    const item: WatchItem = { type: "ERROR", revision: this.#sentRevision, status };
    return this.#options.encoder.encode(item, false);
  }

  get sentRevision(): number {
    return this.#sentRevision;
  }

  get caughtUpRevision(): number {
    if (this.#nextInitial < this.#options.initial.length) return this.startRevision - 1;
    const oldest = this.#waiting.peek();
    return oldest === undefined ? this.#options.storage.revision : oldest.revision - 1;
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#closeListeners.push(listener);
  }

  read(): Promise<readonly WatchEvent[] | undefined> {
    const { prepare } = this.#options;
    return prepare === undefined ? this.#read() : this.#readPrepared(prepare);
  }

  async #readPrepared(
    prepare: (objects: readonly StoredObject[]) => Promise<void>,
  ): Promise<readonly WatchEvent[] | undefined> {
    const events = await this.#read();
    try {
      await prepare(events?.flatMap(({ stored }) => stored ?? []) ?? []);
      return events;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // An object that cannot be converted ends the watch, in-band.
      const item: WatchItem = {
        type: "ERROR",
        revision: this.#sentRevision,
        status: statusOf(error),
      };
      this.#close();
      return [new OutgoingEvent(item, this.#options.encoder, false)];
    }
  }

  #read(): Promise<readonly OutgoingEvent[] | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const events = this.#take();
    if (this.#ending && this.#isEmpty) this.#close();
    if (events.length > 0) return Promise.resolve(events);
    if (this.#closed) return Promise.resolve(undefined);
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  /** Ends the watch cleanly at once; what waits is dropped. */
  cancel(): void {
    this.#close();
  }

  /** Ends the watch cleanly after the items that wait. */
  finish(last?: WatchItem): void {
    if (last !== undefined) this.#waiting.push(last);
    this.#ending = true;
    // A client that does not read must not keep a finished watch open.
    if (this.#isEmpty) this.#close();
    else this.#wake();
  }

  get #isEmpty(): boolean {
    const hasInitial = this.#nextInitial < this.#options.initial.length;
    return !hasInitial && this.#waiting.length === 0;
  }

  #receive(event: StorageEvent): void {
    if (this.#ending) return;
    if (event.revision <= this.startRevision) return;
    this.#translate(event);
    const isTooMuch = this.#waiting.length > this.#limit || this.#characters > this.#characterLimit;
    if (isTooMuch) this.#close();
    else this.#wake();
  }

  #translate(event: StorageEvent): void {
    const item = this.#options.translator.translate(event, this.#options.filter);
    if (item === undefined) return;
    this.#waiting.push(item);
    this.#characters += charactersOf(item);
  }

  // In a microtask, so that several writes of one turn travel in one chunk.
  #wake(): void {
    if (this.#reader === undefined || this.#waking) return;
    this.#waking = true;
    queueMicrotask(() => {
      this.#waking = false;
      this.#answerReader();
    });
  }

  #answerReader(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    const events = this.#take();
    if (events.length > 0) {
      this.#reader = undefined;
      reader.resolve(events);
    }
    if (this.#ending && this.#isEmpty) this.#close();
  }

  /** The events that are there, as many as fit into one chunk. */
  #take(): readonly OutgoingEvent[] {
    const events: OutgoingEvent[] = [];
    let size = 0;
    while (size < chunkCharacters && this.#nextInitial < this.#options.initial.length) {
      const stored = this.#options.initial[this.#nextInitial++];
      if (stored === undefined || !this.#options.filter.matches(stored)) continue;
      const item: WatchItem = { type: "ADDED", revision: stored.revision, stored };
      events.push(new OutgoingEvent(item, this.#options.encoder, false));
      size += stored.tail.length;
    }
    while (size < chunkCharacters) {
      const item = this.#waiting.shift();
      if (item === undefined) break;
      this.#sentRevision = Math.max(this.#sentRevision, item.revision);
      events.push(new OutgoingEvent(item, this.#options.encoder, true));
      size += charactersOf(item);
      this.#characters -= charactersOf(item);
    }
    if (this.#options.writesErrorsAlone && events.some(({ type }) => type !== "ERROR")) {
      this.#close();
      return [];
    }
    return events;
  }

  #schedule(): void {
    const { bookmarkIntervalMs, bookmarks, timeoutMs } = this.#options;
    this.#after(timeoutMs, () => this.finish());
    if (!bookmarks) return;
    for (const ms of lastBookmarksMs) {
      if (timeoutMs > Math.max(...lastBookmarksMs)) {
        this.#after(timeoutMs - ms, () => this.#bookmark());
      }
    }
    const again = (): void => {
      this.#bookmark();
      this.#after(bookmarkIntervalMs, again);
    };
    this.#after(bookmarkIntervalMs, again);
  }

  #after(ms: number, callback: () => void): void {
    const timer = this.#options.clock.setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#closed) callback();
    }, ms);
    this.#timers.add(timer);
  }

  // The start is not advanced by events, so a bookmark may repeat a revision that the reader knows.
  #bookmark(): void {
    const { revision } = this.#options.storage;
    if (this.#ending || revision <= this.startRevision) return;
    this.#waiting.push({ type: "BOOKMARK", revision, initialEventsEnd: false });
    this.#wake();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting.clear();
    this.#nextInitial = this.#options.initial.length;
    this.#unsubscribe();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#reader?.resolve(undefined);
    this.#reader = undefined;
    for (const listener of this.#closeListeners) listener();
  }
}

function charactersOf(item: WatchItem): number {
  return item.type === "BOOKMARK" || item.type === "ERROR" ? 0 : item.stored.tail.length;
}
