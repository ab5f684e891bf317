import type { Cached } from "@listwatch/core-fifo";
import type { DeleteEvent, InformerEvent } from "../cache/informer-event.ts";
import type { EventBuffer } from "./event-stream.ts";

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
