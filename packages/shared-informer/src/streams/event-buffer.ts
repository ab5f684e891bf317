import type { Notification } from "../cache/informer-event.ts";

/** What waits for a reader of events. */
export interface EventBuffer<T> {
  readonly length: number;
  push(notification: Notification<T>): void;
  /** Takes what comes next; `undefined` when nothing waits. */
  shift(): Notification<T> | undefined;
  clear(): void;
}

/** Keeps everything, in its order. */
export class PlainBuffer<T> implements EventBuffer<T> {
  // Filled at the end, read at #next; the read part is cut off when it is the larger one: O(1) amortised at both ends.
  #waiting: (Notification<T> | undefined)[] = [];
  #next = 0;

  get length(): number {
    return this.#waiting.length - this.#next;
  }

  push(notification: Notification<T>): void {
    this.#waiting.push(notification);
  }

  shift(): Notification<T> | undefined {
    if (this.length === 0) return undefined;
    const notification = this.#waiting[this.#next];
    this.#waiting[this.#next++] = undefined;
    if (this.#next > 32 && this.#next * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    return notification;
  }

  clear(): void {
    this.#waiting = [];
    this.#next = 0;
  }
}
