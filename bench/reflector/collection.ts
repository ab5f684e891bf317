import {
  changeAt,
  countAt,
  eventChunks,
  eventLine,
  firstListVersion,
  firstObjectVersion,
  initialEvents,
  keyOf,
  listBody,
  versionAt,
  type EventChunk,
  type Workload,
} from "./workload.ts";

/**
 * What the server holds: first the list of a workload, then the same after its events or after a
 * silent change.
 */
export class Collection {
  readonly #workload: Workload;
  readonly #chunks: readonly EventChunk[];
  readonly #firstList: readonly Buffer[];
  #versions = new Map<number, number>();
  #version = firstListVersion;
  #list: readonly Buffer[] | undefined;
  readonly #initialEvents: readonly Buffer[];
  /** Lines in the middle of the events that are no events of the workload. */
  #inserted = "";

  constructor(workload: Workload) {
    this.#workload = workload;
    this.#chunks = eventChunks(workload);
    this.restore();
    this.#firstList = this.list();
    this.#list = this.#firstList;
    // Made beforehand: a server that writes lines meanwhile would be what is measured.
    this.#initialEvents = workload.isStreamed === true ? initialEvents(this.#versions) : [];
  }

  /** The first list, streamed; only for a workload that says so. */
  initialEvents(): readonly Buffer[] {
    return this.#initialEvents;
  }

  /** Back to the beginning. */
  restore(): void {
    const { pods } = this.#workload;
    this.#versions = new Map(
      Array.from({ length: pods }, (_, index) => [index, firstObjectVersion + index]),
    );
    this.#version = firstListVersion;
    this.#list = this.#firstList;
    this.#inserted = "";
  }

  /** Body of a list; made once for each state. */
  list(): readonly Buffer[] {
    this.#list ??= listBody(this.#versions, this.#version, this.#workload.size);
    return this.#list;
  }

  /** The version of each object by its key. */
  state(): Record<string, string> {
    const state: Record<string, string> = {};
    for (const [index, version] of this.#versions) {
      state[keyOf(index, this.#workload.size)] = String(version);
    }
    return state;
  }

  /** Changes one object of so many without an event. */
  touchEvery(step: number): void {
    for (const index of this.#versions.keys()) {
      if (index % step === 0) this.#versions.set(index, firstListVersion + 1 + index);
    }
    this.#silentlyChanged();
  }

  /** Removes one object of so many without an event. */
  dropEvery(step: number): void {
    for (const index of this.#versions.keys()) {
      if (index % step === 0) this.#versions.delete(index);
    }
    this.#silentlyChanged();
  }

  /** Prepares the list, so that no client waits for it. */
  #silentlyChanged(): void {
    this.#version = versionAt(0) - 1;
    this.#list = undefined;
    this.list();
  }

  /** A pod that no event is about changed: from now on lists show it so. */
  set(index: number, version: number): void {
    this.#versions.set(index, version);
    this.#version = Math.max(this.#version, version);
    this.#list = undefined;
  }

  /** Puts these lines between the first and the second half of the events. */
  insert(lines: string): void {
    this.#inserted = lines;
  }

  /** All events have happened. */
  happen(): void {
    const { events } = this.#workload;
    for (let count = 0; count < events; count++) {
      const { type, index, version } = changeAt(this.#workload, count);
      if (type === "DELETED") this.#versions.delete(index);
      else this.#versions.set(index, version);
    }
    this.#version = Math.max(this.#version, versionAt(events - 1));
    this.#list = undefined;
  }

  /** Whether a watch that begins at this version has something to be told. */
  isBehind(version: number): boolean {
    return version < this.#version;
  }

  /** Number of the event that begins the second half. */
  get middle(): number {
    return this.#chunks[this.#chunks.length >> 1]?.first ?? 0;
  }

  /** Version of what is inserted in the middle. */
  get middleVersion(): number {
    return versionAt(this.middle) - 5;
  }

  /** The events from one number up to another. */
  *events(from: number, to: number = this.#workload.events): Generator<Buffer> {
    for (const [position, { first, bytes }] of this.#chunks.entries()) {
      const next = this.#chunks[position + 1]?.first ?? this.#workload.events;
      if (next <= from) continue;
      if (first >= to) return;
      if (first === this.middle && this.#inserted !== "") yield Buffer.from(this.#inserted);
      if (first >= from) yield bytes;
      else yield this.#rest(from, next);
    }
  }

  /** The events that a watch from this version on has missed. */
  eventsAfter(version: number): Generator<Buffer> {
    return this.events(countAt(version));
  }

  #rest(from: number, to: number): Buffer {
    let text = "";
    for (let count = from; count < to; count++) text += eventLine(changeAt(this.#workload, count));
    return Buffer.from(text);
  }
}
