import type { Cached } from "@listwatch/core-fifo";
import { Deque } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import type { EventBuffer } from "./event-stream.ts";

/** Returns the current content of the cache, by key. */
export type Snapshot<T> = () => Iterable<readonly [key: string, object: Cached<T>]>;

/**
 * Keeps a limited backlog. If it is exceeded, drops it, and later delivers the difference between
 * the state that the reader knows and the cache. Remembers that state: one reference per object.
 */
export class ResyncingBuffer<T> implements EventBuffer<T> {
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
