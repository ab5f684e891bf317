import type { StoredObject } from "./stored-object.ts";

/** One effective write. */
export interface StorageEvent {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /**
   * The object after the write; for DELETED the last stored state with the revision of the
   * deletion.
   */
  readonly stored: StoredObject;
  /** The object before the write; absent for ADDED. */
  readonly previous: StoredObject | undefined;
}

/** How much history a resource keeps. */
export interface HistoryCapacity {
  readonly events: number;
  /** Of the objects' JSON. */
  readonly characters: number;
}

/**
 * The history of one resource, oldest first. It is the base of watches (forward from a revision)
 * and of exact lists (backward from now).
 *
 * ```
 * dropped | oldest … newest
 *         ^ floor: revision of the newest dropped event
 * ```
 */
export class EventLog {
  #events: StorageEvent[];
  // Dropped events at the head of the array; cut off when they are the larger half, so that
  // dropping is O(1) amortised.
  #head = 0;
  #floor: number;
  #characters = 0;
  readonly #capacity: HistoryCapacity;

  constructor(capacity: HistoryCapacity, floor: number, events: readonly StorageEvent[] = []) {
    this.#capacity = capacity;
    this.#floor = floor;
    this.#events = [...events];
    for (const event of events) this.#characters += event.stored.tail.length;
  }

  /** Nothing is known of the time before this revision. */
  get floor(): number {
    return this.#floor;
  }

  append(event: StorageEvent): void {
    this.#events.push(event);
    this.#characters += event.stored.tail.length;
    const { characters, events } = this.#capacity;
    while (this.#events.length - this.#head > events || this.#characters > characters) {
      const oldest = this.#events[this.#head];
      if (oldest === undefined) break;
      this.dropThrough(oldest.revision);
    }
  }

  /** Forgets all events up to and including the revision. */
  dropThrough(revision: number): void {
    if (revision <= this.#floor) return;
    this.#floor = revision;
    const end = this.#indexAfter(revision);
    for (; this.#head < end; this.#head++) {
      this.#characters -= this.#events[this.#head]?.stored.tail.length ?? 0;
    }
    if (this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** The events with a greater revision, oldest first. */
  after(revision: number): readonly StorageEvent[] {
    return this.#events.slice(this.#indexAfter(revision));
  }

  /** Revision of the newest event, the floor when there is none. */
  get newest(): number {
    return this.#events.length > this.#head ? (this.#events.at(-1)?.revision ?? 0) : this.#floor;
  }

  #indexAfter(revision: number): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event !== undefined && event.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
