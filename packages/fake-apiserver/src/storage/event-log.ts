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

/** Limits of the history, and its size over all resources. */
export interface HistoryCapacity {
  /** Events of one resource. */
  readonly events: number;
  /** Size of the objects' JSON for one resource. */
  readonly characters: number;
  /** Characters that the logs of all resources have together. */
  used: number;
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
    for (const event of events) this.#count(sizeOf(event));
  }

  /** The history before this revision is unknown. */
  get floor(): number {
    return this.#floor;
  }

  append(event: StorageEvent): void {
    this.#events.push(event);
    this.#count(sizeOf(event));
    const { characters, events } = this.#capacity;
    while (this.#events.length - this.#head > events || this.#characters > characters) {
      if (this.oldest === Infinity) break;
      this.dropThrough(this.oldest);
    }
  }

  /** Revision of the oldest event, Infinity without events. */
  get oldest(): number {
    return this.#events[this.#head]?.revision ?? Infinity;
  }

  #count(characters: number): void {
    this.#characters += characters;
    this.#capacity.used += characters;
  }

  /** Takes all events out of the size over all resources, when another log replaces this one. */
  release(): void {
    this.#count(-this.#characters);
  }

  /** Drops all events up to and including the revision. */
  dropThrough(revision: number): void {
    if (revision <= this.#floor) return;
    this.#floor = revision;
    const end = this.#indexAfter(revision);
    for (const event of this.#events.slice(this.#head, end)) this.#count(-sizeOf(event));
    this.#head = end;
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

/**
 * Characters that an event keeps from being forgotten. A small object may follow a large one, which
 * exact lists still need.
 */
function sizeOf({ previous, stored }: StorageEvent): number {
  return Math.max(stored.tail.length, previous?.tail.length ?? 0);
}
