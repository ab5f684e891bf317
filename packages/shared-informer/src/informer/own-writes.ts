import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import { compareResourceVersions } from "@listwatch/core-fifo";
import { deepFreeze, isBelow, metadataOf, resourceVersionOf } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import { effectOf, type AdmittedWrite, type WriteEffect } from "./admitted-write.ts";
import type { InformerWrites, NotedState } from "./informer-writes.ts";

/** The cache of an informer, as {@link OwnWrites} sees it. */
export interface OwnWritesCache<T> {
  /** Whether the cache freezes its objects. */
  readonly freeze: boolean;
  /** Returns the object that the cache contains. */
  readonly cached: (key: string) => Cached<T> | undefined;
  /** The resourceVersion up to which the cache is complete. */
  readonly version: () => string;
}

class Note<T> implements NotedState<T> {
  readonly key: string;
  readonly uid: string;
  readonly type: WriteEffect["type"];
  /** The note lasts until the cache has reached this version; unknown after most deletions. */
  version: string | undefined;
  readonly content: Cached<T> | "none" | "unknown";
  readonly precondition: string | undefined;
  readonly writer: object | undefined;
  /** Whether the cache has shown the object that was deleted. */
  wasShown = false;
  /** Lists since a deletion of which no version is known. */
  lists = 0;
  isOver = false;
  readonly #over = Promise.withResolvers<void>();

  constructor(
    effect: WriteEffect,
    { content, key }: Omit<AdmittedWrite<T>, "isHeld">,
    precondition: string | undefined,
    writer: object | undefined,
  ) {
    this.key = key;
    this.type = effect.type;
    this.uid = effect.uid;
    this.version = effect.version;
    this.content = content;
    this.precondition = precondition;
    this.writer = writer;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  end(): void {
    this.isOver = true;
    this.#over.resolve();
  }
}

/**
 * Writes of this program that the cache of an informer does not show yet. Reads by key show them.
 * The method `createWrites` of a source creates them, and the informer calls their methods.
 *
 * A note ends when the cache's own version has reached that of the write, whatever the cache then
 * shows: a later change of another client may have followed. The answer to a deletion usually has
 * no version, so its note ends when the cache no longer shows the deleted uid. Time and number of
 * notes do not matter.
 */
export class OwnWrites<T> implements InformerWrites<T> {
  readonly #admit: (write: CompletedWrite, effect: WriteEffect) => AdmittedWrite<T> | undefined;
  readonly #cache: OwnWritesCache<T>;
  /** Notes of each key, oldest first. */
  readonly #notes = new Map<string, Note<T>[]>();
  /** States in the cache that a watch has delivered and that a write of this program has made. */
  readonly #writers = new WeakMap<object, object>();
  #hasEnded = false;
  #reached = "";

  /**
   * @param admit returns what the cache will contain once it has caught up with a write;
   *   `undefined` if it holds no such objects
   */
  constructor(
    admit: (write: CompletedWrite, effect: WriteEffect) => AdmittedWrite<T> | undefined,
    cache: OwnWritesCache<T>,
  ) {
    this.#admit = admit;
    this.#cache = cache;
  }

  get isEmpty(): boolean {
    return this.#notes.size === 0;
  }

  hasNotes(key: string): boolean {
    return this.#notes.has(key);
  }

  note(write: CompletedWrite, writer: object | undefined): NotedState<T> | undefined {
    const effect = this.#hasEnded ? undefined : effectOf(write);
    if (effect === undefined) return undefined;
    const admitted = this.#admit(write, effect);
    if (admitted === undefined) return undefined;
    return effect.type === "gone"
      ? this.#noteDeletion(effect, admitted, writer)
      : this.#noteState(effect, admitted, write.precondition, writer);
  }

  read(key: string, cached: Cached<T> | undefined): Cached<T> | undefined {
    const notes = this.#notes.get(key);
    if (notes === undefined) return cached;
    for (let index = notes.length - 1; index >= 0; index--) {
      const note = notes[index];
      if (note === undefined || this.#isReached(note)) continue;
      if (note.type === "gone") {
        if (note.version !== undefined && !this.#hasVersion(note.version)) return undefined;
        if (uidOf(cached) === note.uid) return undefined;
      } else if (note.content !== "unknown") {
        return note.content === "none" ? undefined : note.content;
      }
    }
    return cached;
  }

  findWriter(event: InformerEvent<T>): object | undefined {
    const notes = this.#notes.get(event.key);
    if (notes === undefined || event.type === "delete") return undefined;
    const { object } = event;
    const version = resourceVersionOf(object);
    const before = event.type === "update" ? resourceVersionOf(event.old) : "";
    const note = notes.find((noted) => {
      if (noted.writer === undefined || noted.type === "gone") return false;
      const isNext = noted.precondition === before && before !== version;
      return isNext && noted.version === version && noted.uid === uidOf(object);
    });
    return note?.writer;
  }

  match(event: InformerEvent<T>): void {
    const { object } = event;
    const writer = this.findWriter(event);
    if (writer !== undefined && typeof object === "object" && object !== null) {
      this.#writers.set(object, writer);
    }
  }

  writerOf(object: unknown): object | undefined {
    return typeof object === "object" && object !== null ? this.#writers.get(object) : undefined;
  }

  reach(isList: boolean): void {
    const before = this.#reached;
    this.#reached = this.#cache.version();
    if (this.isEmpty) return;
    // Versions only go back in another history, to which the notes do not belong.
    if (isBelow(this.#reached, before)) this.forget();
    for (const notes of this.#notes.values()) {
      for (const note of notes) this.#checkDeletion(note, isList);
    }
    this.#sweep();
  }

  forget(): void {
    for (const notes of this.#notes.values()) for (const note of notes) note.end();
    this.#notes.clear();
  }

  end(): void {
    this.#hasEnded = true;
    this.forget();
  }

  #noteState(
    effect: Extract<WriteEffect, { type: "stored" }>,
    admitted: AdmittedWrite<T>,
    precondition: string | undefined,
    writer: object | undefined,
  ): Note<T> | undefined {
    const { key, content, isHeld } = admitted;
    this.#boundDeletions(effect.version);
    if (this.#hasVersion(effect.version)) return undefined;
    const last = this.#notes.get(key)?.at(-1);
    if (last?.type === "stored" && isBelow(effect.version, last.version ?? "")) {
      // Two requests at a time: the answer to the earlier one arrived last.
      return last;
    }
    if (this.#cache.freeze && typeof content === "object") deepFreeze(content);
    const note = new Note<T>(effect, { key, content }, precondition, writer);
    this.#add(note);
    return isHeld ? note : undefined;
  }

  #noteDeletion(
    effect: Extract<WriteEffect, { type: "gone" }>,
    { key, isHeld }: AdmittedWrite<T>,
    writer: object | undefined,
  ): Note<T> | undefined {
    const earlier = this.#notes.get(key)?.filter(({ type, uid }) => {
      return type === "stored" && uid === effect.uid;
    });
    const versions = [effect.version, ...(earlier ?? []).map(({ version }) => version)];
    const version = newestOf(versions);
    const isShown = uidOf(this.#cache.cached(key)) === effect.uid;
    const isAhead = version !== undefined && !this.#hasVersion(version);
    if (!isShown && version !== undefined && !isAhead) return undefined;
    const note = new Note<T>({ ...effect, version }, { key, content: "none" }, undefined, writer);
    note.wasShown = isShown;
    this.#add(note);
    return isHeld && (isShown || isAhead) ? note : undefined;
  }

  #add(note: Note<T>): void {
    const notes = this.#notes.get(note.key);
    if (notes === undefined) this.#notes.set(note.key, [note]);
    else notes.push(note);
  }

  /**
   * A deletion whose object the cache has not shown has no version. Any later version of the
   * resource bounds it.
   */
  #boundDeletions(version: string): void {
    for (const notes of this.#notes.values()) {
      for (const note of notes) if (note.type === "gone") note.version ??= version;
    }
  }

  #checkDeletion(note: Note<T>, isList: boolean): void {
    if (note.type !== "gone") return;
    if (uidOf(this.#cache.cached(note.key)) === note.uid) note.wasShown = true;
    // The second list began after the first one was applied, so it shows the deletion.
    else if (isList && ++note.lists > 1) note.wasShown = true;
  }

  #sweep(): void {
    for (const [key, notes] of this.#notes) {
      const left = notes.filter((note) => !this.#isReached(note));
      if (left.length === notes.length) continue;
      for (const note of notes) if (!left.includes(note)) note.end();
      if (left.length === 0) this.#notes.delete(key);
      else this.#notes.set(key, left);
    }
  }

  #isReached(note: Note<T>): boolean {
    const { type, version } = note;
    if (type === "stored") return version === undefined || this.#hasVersion(version);
    if (uidOf(this.#cache.cached(note.key)) === note.uid) return false;
    return version === undefined ? note.wasShown : this.#hasVersion(version);
  }

  #hasVersion(version: string): boolean {
    return isAtLeast(this.#cache.version(), version);
  }
}

function isAtLeast(current: string, wanted: string): boolean {
  try {
    return compareResourceVersions(current, wanted) >= 0;
  } catch {
    return false;
  }
}

/** Returns the newest of these versions; `undefined` if there is none. */
function newestOf(versions: readonly (string | undefined)[]): string | undefined {
  let newest: string | undefined;
  for (const version of versions) {
    if (version !== undefined && (newest === undefined || isBelow(newest, version))) {
      newest = version;
    }
  }
  return newest;
}

function uidOf(object: unknown): string | undefined {
  return metadataOf(object)?.uid;
}
