import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import { deepFreeze, isBelow, metadataOf, resourceVersionOf } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import { effectOf, type AdmittedWrite, type WriteEffect } from "./admitted-write.ts";
import type { InformerWrites, NotedState } from "./informer-writes.ts";
import { StateWriters } from "./state-writers.ts";

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
  /** A version after a deletion whose own one is unknown. */
  bound: string | undefined;
  /** See `CompletedWrite.ended`. */
  readonly ended: number | undefined;
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
    { content, key }: AdmittedWrite<T>,
    { ended, precondition }: CompletedWrite,
    writer: object | undefined,
  ) {
    this.key = key;
    this.ended = ended;
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
export class OwnWrites<T> extends StateWriters<T> implements InformerWrites<T> {
  readonly #admit: (write: CompletedWrite, effect: WriteEffect) => AdmittedWrite<T> | undefined;
  readonly #cache: OwnWritesCache<T>;
  /** Notes of each key, oldest first. */
  readonly #notes = new Map<string, Note<T>[]>();
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
    super();
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
    const note = new Note<T>(effect, admitted, write, writer);
    if (effect.type === "gone") return this.#noteDeletion(note, admitted.isHeld);
    this.#boundDeletions(write, effect.version);
    return this.#noteState(note, admitted.isHeld, effect.version);
  }

  read(key: string, cached: Cached<T> | undefined): Cached<T> | undefined {
    for (const note of this.#notesOf(key).toReversed()) {
      if (this.#isReached(note)) continue;
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
    if (event.type === "delete") return undefined;
    const { key, object } = event;
    const version = resourceVersionOf(object);
    const before = event.type === "update" ? resourceVersionOf(event.old) : "";
    const note = this.#notesOf(key).find((noted) => {
      if (noted.writer === undefined || noted.type === "gone") return false;
      const isNext = noted.precondition === before && before !== version;
      return isNext && noted.version === version && noted.uid === uidOf(object);
    });
    return note?.writer;
  }

  reach(isList: boolean): void {
    const before = this.#reached;
    this.#reached = this.#cache.version();
    if (this.isEmpty) return;
    // Versions only go back in another history, to which the notes do not belong.
    if (isBelow(this.#reached, before)) this.forget();
    for (const note of this.#all) {
      // The second list began after the first one was applied, so it shows a deletion.
      if (this.#isShown(note) || (isList && ++note.lists > 1)) note.wasShown = true;
    }
    this.#sweep();
  }

  forget(): void {
    for (const note of this.#all) note.end();
    this.#notes.clear();
  }

  end(): void {
    this.#hasEnded = true;
    this.forget();
  }

  #notesOf(key: string): readonly Note<T>[] {
    return this.#notes.get(key) ?? [];
  }

  get #all(): readonly Note<T>[] {
    return [...this.#notes.values()].flat();
  }

  #noteState(note: Note<T>, isHeld: boolean, version: string): Note<T> | undefined {
    const { content, key } = note;
    if (this.#hasVersion(version)) return undefined;
    const deletion = this.#notesOf(key).find(({ type, uid }) => {
      return type === "gone" && uid === note.uid;
    });
    if (deletion !== undefined) {
      // The answer to the earlier of two requests arrived last.
      deletion.version = newerOf(deletion.version, version);
      this.#add(deletion);
      return isHeld ? deletion : undefined;
    }
    if (this.#cache.freeze && typeof content === "object") deepFreeze(content);
    const isAwaited = isHeld || this.#expects(note);
    this.#add(note);
    return isAwaited ? note : undefined;
  }

  /** Whether the cache shows the object of a note, or will do so after an earlier write. */
  #expects(note: Note<T>): boolean {
    const isExpected = ({ content, uid }: Note<T>): boolean =>
      uid === note.uid && content !== "none";
    return this.#isShown(note) || this.#notesOf(note.key).some(isExpected);
  }

  #noteDeletion(note: Note<T>, isHeld: boolean): Note<T> | undefined {
    const { key, uid } = note;
    const earlier = this.#notesOf(key).filter((other) => other.uid === uid);
    for (const other of earlier) note.version = newerOf(note.version, other.version);
    const { version } = note;
    note.wasShown = this.#isShown(note);
    const isAhead = version !== undefined && !this.#hasVersion(version);
    if (!note.wasShown && version !== undefined && !isAhead) return undefined;
    // The earlier notes show whether the cache will hold the object.
    const isAwaited = (earlier.length === 0 && isHeld && isAhead) || this.#expects(note);
    this.#add(note);
    return isAwaited ? note : undefined;
  }

  #add(note: Note<T>): void {
    const notes = this.#notesOf(note.key).filter((other) => other !== note);
    // The answers to requests at one time may arrive in any order.
    const later = notes.findIndex((other) => isBelow(note.version ?? "", other.version ?? ""));
    notes.splice(later === -1 ? notes.length : later, 0, note);
    this.#notes.set(note.key, notes);
  }

  /**
   * A deletion whose object the cache has not shown has no version. The version of a change that
   * began after it bounds it. A write without a precondition may have changed nothing, and its
   * version may be older.
   */
  #boundDeletions({ began = 0, precondition }: CompletedWrite, version: string): void {
    if (precondition === undefined || precondition === version) return;
    for (const note of this.#all) if (began > (note.ended ?? Infinity)) note.bound ??= version;
  }

  #sweep(): void {
    for (const [key, notes] of this.#notes) {
      const left = notes.filter((note) => {
        const isReached = this.#isReached(note);
        if (isReached) note.end();
        return !isReached;
      });
      if (left.length === 0) this.#notes.delete(key);
      else this.#notes.set(key, left);
    }
  }

  #isReached(note: Note<T>): boolean {
    if (note.type === "gone" && this.#isShown(note)) return false;
    const { bound, version } = note;
    if (version !== undefined) return this.#hasVersion(version);
    return note.wasShown || (bound !== undefined && this.#hasVersion(bound));
  }

  #isShown({ key, uid }: Note<T>): boolean {
    return uidOf(this.#cache.cached(key)) === uid;
  }

  #hasVersion(version: string): boolean {
    const current = this.#cache.version();
    return version === current || isBelow(version, current);
  }
}

/** Returns the newer one of two versions that may be unknown. */
function newerOf(version: string | undefined, other: string | undefined): string | undefined {
  return version === undefined || isBelow(version, other ?? "") ? other : version;
}

function uidOf(object: unknown): string | undefined {
  return metadataOf(object)?.uid;
}
