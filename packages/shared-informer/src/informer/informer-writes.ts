import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import type { InformerEvent } from "../cache/informer-event.ts";

/** A write that an informer has noted, until its cache has caught up with it. */
export interface NotedWrite {
  /** Whether the cache has caught up, or has another history than the write. */
  readonly isOver: boolean;
  /** Resolves when {@link NotedWrite.isOver} becomes true, or when the informer ends. */
  readonly over: Promise<void>;
}

/** A noted write with the state that the cache will show. */
export interface NotedState<T> extends NotedWrite {
  /** Key of the object in the cache. */
  readonly key: string;
  /** See `AdmittedWrite.content`. */
  readonly content: Cached<T> | "none" | "unknown";
}

/** Writes of this program that the cache of an informer does not show yet. */
export interface InformerWrites<T> {
  /** Whether there is no note, so that reads show the cache as it is. */
  readonly isEmpty: boolean;
  /** Whether there is a note of a key. */
  hasNotes(key: string): boolean;
  /**
   * Notes a write. Returns the note if the cache has to catch up with it, and `undefined` if it
   * already has, or never will because it does not hold such objects.
   *
   * @param writer identifies the writer in {@link InformerWrites.writerOf}
   */
  note(write: CompletedWrite, writer: object | undefined): NotedState<T> | undefined;
  /** Returns what a read by key shows, given what the cache contains. */
  read(key: string, cached: Cached<T> | undefined): Cached<T> | undefined;
  /** Returns the writer of an event's state, if that followed the state that the write required. */
  findWriter(event: InformerEvent<T>): object | undefined;
  /** Remembers the writer of a state that a watch delivers, see `findWriter`. */
  match(event: InformerEvent<T>): void;
  /** Returns the writer of a cached state, see {@link InformerWrites.match}. */
  writerOf(object: unknown): object | undefined;
  /**
   * Ends the notes that the cache has caught up with.
   *
   * @param isList whether a whole list has brought it there
   */
  reach?(isList: boolean): void;
  /** Ends all notes: they belong to another history of the server. */
  forget?(): void;
  /** Ends all notes and takes no more: the informer has ended. */
  end?(): void;
}
