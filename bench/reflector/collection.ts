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

/** The server's content: the list of a workload, then the same after events or silent changes. */
export class Collection {
  readonly #workload: Workload;
  readonly #chunks: readonly EventChunk[];
  readonly #firstList: readonly Buffer[];
  #versions = new Map<number, number>();
  #version = firstListVersion;
  #list: readonly Buffer[] | undefined;
  readonly #initialEvents: readonly Buffer[];
  /** Lines in the middle of the events that do not belong to the workload. */
  #inserted = "";

  constructor(workload: Workload) {
    this.#workload = workload;
    this.#chunks = eventChunks(workload);
    this.restore();
    this.#firstList = this.list();
    this.#list = this.#firstList;
    // Prepared, since a server that builds lines meanwhile would be measured.
    this.#initialEvents = workload.isStreamed === true ? initialEvents(this.#versions) : [];
  }

  /** The first list as a stream, if the workload has one. */
  initialEvents(): readonly Buffer[] {
    return this.#initialEvents;
  }

  /** Resets to the initial state. */
  restore(): void {
    const { pods } = this.#workload;
    this.#versions = new Map(
      Array.from({ length: pods }, (_, index) => [index, firstObjectVersion + index]),
    );
    this.#version = firstListVersion;
    this.#list = this.#firstList;
    this.#inserted = "";
  }

  /** Returns the body of a list, which is made once for each state. */
  list(): readonly Buffer[] {
    this.#list ??= listBody(this.#versions, this.#version, this.#workload.size);
    return this.#list;
  }

  /** Returns the version of each object by its key. */
  state(): Record<string, string> {
    const state: Record<string, string> = {};
    for (const [index, version] of this.#versions) {
      state[keyOf(index, this.#workload.size)] = String(version);
    }
    return state;
  }

  /** Changes every `step`-th object without an event. */
  touchEvery(step: number): void {
    for (const index of this.#versions.keys()) {
      if (index % step === 0) this.#versions.set(index, firstListVersion + 1 + index);
    }
    this.#silentlyChanged();
  }

  /** Removes every `step`-th object without an event. */
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

  /** Adds a pod without an event: later lists contain it. */
  set(index: number, version: number): void {
    this.#versions.set(index, version);
    this.#version = Math.max(this.#version, version);
    this.#list = undefined;
  }

  /** Inserts lines between the first and the second half of the events. */
  insert(lines: string): void {
    this.#inserted = lines;
  }

  /** Applies all events. */
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

  /** Whether a watch from this version has missed changes. */
  isBehind(version: number): boolean {
    return version < this.#version;
  }

  /** Index of the first event in the second half. */
  get middle(): number {
    return this.#chunks[this.#chunks.length >> 1]?.first ?? 0;
  }

  /** Version of lines inserted in the middle. */
  get middleVersion(): number {
    return versionAt(this.middle) - 5;
  }

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

  /** Returns the events after this version. */
  eventsAfter(version: number): Generator<Buffer> {
    return this.events(countAt(version));
  }

  #rest(from: number, to: number): Buffer {
    let text = "";
    for (let count = from; count < to; count++) text += eventLine(changeAt(this.#workload, count));
    return Buffer.from(text);
  }
}
