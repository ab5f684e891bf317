import type { Cached } from "@listwatch/core-fifo";
import type { DeleteNotification, Notification } from "../cache/informer-event.ts";
import type { EventBuffer } from "./event-buffer.ts";

/** What waits of one key: the way from what the reader knows to what is so now. */
interface Waiting<T> {
  /** The state that the reader was told last, if it has to be told of an update. */
  old: Cached<T> | undefined;
  /** A deletion to be told before the object that came after it. */
  gone: DeleteNotification<T> | undefined;
  /** Whether the reader has been told of the object that `newest` is about. */
  known: boolean;
  newest: Notification<T>;
}

/**
 * Keeps of each key the newest state, and the one that the reader knows; an object that comes and
 * goes in between is not told at all. At most two events wait of a key.
 */
export class CoalescingBuffer<T> implements EventBuffer<T> {
  readonly #waiting = new Map<string, Waiting<T>>();

  /** Keys with something to tell. */
  get length(): number {
    return this.#waiting.size;
  }

  push(notification: Notification<T>): void {
    const { key, type } = notification;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      const old = type === "update" ? notification.old : undefined;
      const known = type !== "add";
      this.#waiting.set(key, { old, gone: undefined, known, newest: notification });
    } else if (type === "delete") {
      if (!waiting.known && waiting.gone === undefined) this.#waiting.delete(key);
      else Object.assign(waiting, { gone: undefined, known: true, newest: notification });
    } else if (waiting.newest.type === "delete") {
      const gone = waiting.newest;
      Object.assign(waiting, { gone, old: undefined, known: false, newest: notification });
    } else {
      const { newest } = waiting;
      const { object } = notification;
      waiting.newest = newest.type === "add" ? { ...newest, object } : notification;
    }
  }

  shift(): Notification<T> | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [key, waiting] = first;
    const { gone, newest, old } = waiting;
    if (gone !== undefined) {
      waiting.gone = undefined;
      return gone;
    }
    this.#waiting.delete(key);
    if (newest.type !== "update" || old === undefined) return newest;
    return { type: "update", key, old, object: newest.object };
  }

  clear(): void {
    this.#waiting.clear();
  }
}
