import type { Clock, Timer } from "@listwatch/core-fifo/base";
import type { WatchPort } from "../faults/control/watch-port.ts";
import { joinBytes } from "../base/bytes.ts";
import type { WatchEncoder } from "../output/watch-encoder.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ObjectFilter } from "./object-filter.ts";
import type { WatchItem } from "../output/watch-item.ts";
import type { WatchTranslator } from "./watch-translator.ts";

/** What a {@link WatchStream} shows and for how long. */
export interface WatchStreamOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly store: ResourceStore;
  readonly filter: ObjectFilter;
  readonly translator: WatchTranslator;
  readonly encoder: WatchEncoder;
  /** Live events have a greater revision. */
  readonly startRevision: number;
  /** Objects that are reported as ADDED first. */
  readonly initial: readonly StoredObject[];
  /** The bookmark that ends the initial events. */
  readonly initialEventsEnd: boolean;
  readonly bookmarks: boolean;
  readonly bookmarkIntervalMs: number;
  readonly timeoutMs: number;
  /** Events that may wait for the reader. */
  readonly bufferEvents: number;
}

// The real server plans bookmarks for 2 s before the end and looks about once a second, so two of them come: api-server §1.10.
const lastBookmarksMs: readonly number[] = [2000, 1000];
// Lines that wait are handed over in pieces of about this size.
const chunkBytes = 65_536;

/**
 * One open watch: a stream that is filled when it is read.
 *
 * ```
 * initial objects ─▶ [end bookmark] ─▶ waiting items (bounded) ─▶ reader
 *                                       ▲ writes, bookmarks
 * ```
 *
 * A reader that is too slow for its buffer is cut off cleanly, as the real server does it, and
 * comes back with its last revision.
 */
export class WatchStream implements WatchPort {
  readonly body: ReadableStream<Uint8Array>;
  readonly startRevision: number;
  /** Called once when the stream has ended, for whatever reason. */
  onClosed: (() => void) | undefined;
  readonly #options: WatchStreamOptions;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #nextInitial = 0;
  // Items before #head have been taken.
  #waiting: WatchItem[] = [];
  #head = 0;
  #sentRevision: number;
  readonly #limit: number;
  // The reader has asked for a chunk and none was there.
  #hungry = false;
  #flushing = false;
  #ending = false;
  #closed = false;
  readonly #unsubscribe: () => void;
  readonly #timers = new Set<Timer>();

  constructor(options: WatchStreamOptions) {
    this.#options = options;
    this.startRevision = options.startRevision;
    this.#sentRevision = options.startRevision;
    for (const event of options.store.eventsAfter(options.startRevision)) this.#translate(event);
    // History is shared with every other watch, so only what comes later counts.
    this.#limit = options.bufferEvents + this.#waiting.length;
    if (options.initialEventsEnd) {
      const revision = options.startRevision;
      this.#waiting.unshift({ type: "BOOKMARK", revision, initialEventsEnd: true });
    }
    this.#unsubscribe = options.store.subscribe((event) => this.#receive(event));
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#fill(),
        cancel: () => this.#close(),
      },
      { highWaterMark: 0 },
    );
    this.#schedule();
  }

  get sentRevision(): number {
    return this.#sentRevision;
  }

  get caughtUpRevision(): number {
    if (this.#nextInitial < this.#options.initial.length) return this.startRevision - 1;
    const oldest = this.#waiting[this.#head];
    return oldest === undefined ? this.#options.storage.revision : oldest.revision - 1;
  }

  /** Ends the stream cleanly at once; what waits is dropped. */
  end(): void {
    if (this.#closed) return;
    this.#controller?.close();
    this.#close();
  }

  /** Ends the stream cleanly after the items that wait. */
  finish(last?: WatchItem): void {
    if (last !== undefined) this.#waiting.push(last);
    this.#ending = true;
    // Whoever does not read shall not keep a watch open that has nothing more to say.
    if (this.#isEmpty) this.end();
    else this.#wake();
  }

  get #isEmpty(): boolean {
    const hasInitial = this.#nextInitial < this.#options.initial.length;
    return !hasInitial && this.#head >= this.#waiting.length;
  }

  #receive(event: StorageEvent): void {
    if (this.#ending) return;
    if (event.revision <= this.startRevision) return;
    this.#translate(event);
    if (this.#waiting.length - this.#head > this.#limit) this.end();
    else this.#wake();
  }

  #translate(event: StorageEvent): void {
    const item = this.#options.translator.translate(event, this.#options.filter);
    if (item !== undefined) this.#waiting.push(item);
  }

  // In a microtask, so that several writes of one turn travel in one chunk.
  #wake(): void {
    if (!this.#hungry || this.#flushing || this.#closed) return;
    this.#flushing = true;
    queueMicrotask(() => {
      this.#flushing = false;
      if (this.#hungry) this.#fill();
    });
  }

  #fill(): void {
    if (this.#closed) return;
    const lines: Uint8Array[] = [];
    let size = 0;
    for (let line = this.#takeLine(); line !== undefined; line = this.#takeLine()) {
      lines.push(line);
      size += line.byteLength;
      if (size >= chunkBytes) break;
    }
    this.#hungry = lines.length === 0;
    if (!this.#hungry) this.#controller?.enqueue(joinBytes(lines, size));
    if (this.#ending && this.#isEmpty) this.end();
  }

  #takeLine(): Uint8Array | undefined {
    const { encoder, filter, initial } = this.#options;
    while (this.#nextInitial < initial.length) {
      const version = initial[this.#nextInitial++];
      if (version === undefined || !filter.matches(version)) continue;
      return encoder.encode({ type: "ADDED", revision: version.revision, version }, false);
    }
    const item = this.#waiting[this.#head];
    if (item === undefined) return undefined;
    this.#head++;
    // The taken half is cut off now and then, so that taking is O(1) amortised.
    if (this.#head * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    this.#sentRevision = Math.max(this.#sentRevision, item.revision);
    return encoder.encode(item, true);
  }

  #schedule(): void {
    const { bookmarkIntervalMs, bookmarks, timeoutMs } = this.#options;
    this.#after(timeoutMs, () => this.finish());
    if (!bookmarks) return;
    for (const ms of lastBookmarksMs) {
      if (timeoutMs > Math.max(...lastBookmarksMs))
        this.#after(timeoutMs - ms, () => this.#bookmark());
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

  // The start is not advanced by events, so a bookmark may repeat a revision the reader knows: api-server §1.10.
  #bookmark(): void {
    const revision = this.#options.storage.revision;
    if (this.#ending || revision <= this.startRevision) return;
    this.#waiting.push({ type: "BOOKMARK", revision, initialEventsEnd: false });
    this.#wake();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting = [];
    this.#head = 0;
    this.#nextInitial = this.#options.initial.length;
    this.#unsubscribe();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.onClosed?.();
  }
}
