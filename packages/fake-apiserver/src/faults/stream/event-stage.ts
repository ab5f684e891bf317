import { joinBytes } from "../../base/bytes.ts";
import type { WatchEvent } from "./watch-event.ts";

/** Turns one event into those that are sent instead. */
export type EventFilter = (event: WatchEvent) => readonly WatchEvent[];

/** True while the event, and everything behind it, has to wait. */
export type EventGate = (event: WatchEvent) => boolean;

/**
 * The part of a body's way where events are looked at, before they are encoded: filters, then
 * gates.
 */
export class EventStage {
  readonly #filters: EventFilter[] = [];
  readonly #gates: Set<EventGate> = new Set();
  // Events behind the filters that have not been taken.
  #events: WatchEvent[] = [];

  /** True if a filter or a gate looks at events. */
  get isUsed(): boolean {
    return this.#filters.length > 0 || this.#gates.size > 0;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** True if an event waits at a closed gate. */
  get isHeld(): boolean {
    return this.#events.some((event) => this.#isStopped(event));
  }

  addFilter(filter: EventFilter): void {
    this.#filters.push(filter);
  }

  addGate(gate: EventGate): void {
    this.#gates.add(gate);
  }

  removeGate(gate: EventGate): void {
    this.#gates.delete(gate);
  }

  /** Puts in what the source has handed over. */
  push(events: readonly WatchEvent[]): void {
    let filtered = events;
    for (const filter of this.#filters) filtered = filtered.flatMap(filter);
    this.#events.push(...filtered);
  }

  /**
   * Takes so many events out, as one chunk; fewer if no more follow. Undefined if there are not
   * enough that may go.
   */
  take(wanted: number, moreFollow: boolean): Uint8Array | undefined {
    const stopped = this.#events.findIndex((event) => this.#isStopped(event));
    const open = stopped < 0 ? this.#events.length : stopped;
    if (open === 0 || (open < wanted && moreFollow)) return undefined;
    return encodeEvents(this.#events.splice(0, Math.min(open, wanted)));
  }

  clear(): void {
    this.#events = [];
  }

  #isStopped(event: WatchEvent): boolean {
    for (const gate of this.#gates) if (gate(event)) return true;
    return false;
  }
}

/** The lines of some events as one chunk. */
export function encodeEvents(events: readonly WatchEvent[]): Uint8Array {
  const lines = events.map((event) => event.encode());
  let size = 0;
  for (const line of lines) size += line.byteLength;
  return joinBytes(lines, size);
}
