import type { StoredObject } from "./stored-object.ts";

/** An effective write. */
export interface StorageEvent {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The object after the write; for DELETED the last state with the revision of the deletion. */
  readonly stored: StoredObject;
  /** The object before the write; absent for ADDED. */
  readonly previous: StoredObject | undefined;
}

/** Limits of a resource's history. */
export interface HistoryCapacity {
  readonly events: number;
  /** Size of the objects' JSON. */
  readonly characters: number;
}

/**
 * History of one resource, oldest first. Watches read it forward from a revision, exact lists
 * backward from now.
 *
 * ```
 * dropped | oldest … newest
 *         ^ floor: revision of the newest dropped event
 * ```
 */
export class EventLog {
  #events: StorageEvent[];
  // First remaining event. Dropped ones are cut off when they are the larger half: O(1) amortised.
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

  /** The history before this revision is unknown. */
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

  /** Drops all events up to and including the revision. */
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

  /** Returns the events with a greater revision, oldest first. */
  after(revision: number): readonly StorageEvent[] {
    return this.#events.slice(this.#indexAfter(revision));
  }

  /** Revision of the newest event, or the floor without events. */
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
