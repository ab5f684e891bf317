import type { CompletedWrite } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import type { InformerEvent } from "../cache/informer-event.ts";
import type { InformerWrites, NotedState } from "../informer/informer-writes.ts";
import { StateWriters } from "../informer/state-writers.ts";
import type { ViewedCache } from "../informer/viewed-cache.ts";

/** The view of {@link ViewWrites}. */
export interface WritingView<T> {
  /** Caches of the viewed informers; none while the view does not run. */
  readonly caches: () => readonly ViewedCache<T>[];
  /** Returns the object that the view contains. */
  readonly cached: (key: string) => Cached<T> | undefined;
  /** Whether the view selects an object. May throw. */
  readonly selects: (object: Cached<T>) => boolean;
}

/**
 * Own writes in a view. The viewed informers keep the notes: a note lasts until the informer that
 * holds the object has caught up, and the view changes in the same turn. The other informers of the
 * view do not matter.
 */
export class ViewWrites<T> extends StateWriters<T> implements InformerWrites<T> {
  readonly #view: WritingView<T>;

  constructor(view: WritingView<T>) {
    super();
    this.#view = view;
  }

  get isEmpty(): boolean {
    return this.#view.caches().every(({ writes }) => writes?.isEmpty !== false);
  }

  hasNotes(key: string): boolean {
    return this.#view.caches().some(({ writes }) => writes?.hasNotes(key));
  }

  note(write: CompletedWrite, writer: object | undefined): NotedState<T> | undefined {
    const notes: NotedState<T>[] = [];
    for (const cache of this.#view.caches()) {
      const note = cache.writes?.note(write, writer);
      if (note !== undefined && this.#awaits(note, cache)) notes.push(note);
    }
    return joinNotes(notes);
  }

  read(key: string, cached: Cached<T> | undefined): Cached<T> | undefined {
    if (!this.hasNotes(key)) return cached;
    for (const { reader } of this.#view.caches()) {
      const object = reader.getByKey(key);
      if (object !== undefined && this.#selects(object)) return object;
    }
    return undefined;
  }

  findWriter(event: InformerEvent<T>): object | undefined {
    for (const { writes } of this.#view.caches()) {
      // Only an informer knows whether a watch or a list has delivered the object.
      const isWatched = event.type !== "delete" && writes?.writerOf(event.object) !== undefined;
      const writer = isWatched ? writes?.findWriter(event) : undefined;
      if (writer !== undefined) return writer;
    }
    return undefined;
  }

  /** Whether the view contains the object of a note, before or after the write. */
  #awaits({ content, key }: NotedState<T>, { store }: ViewedCache<T>): boolean {
    if (content === "unknown" || this.#view.cached(key) !== undefined) return true;
    const object = content === "none" ? store.getByKey(key) : content;
    return object === undefined || this.#selects(object);
  }

  #selects(object: Cached<T>): boolean {
    try {
      return this.#view.selects(object);
    } catch {
      // The view reports the failure when the object arrives, and does not show it.
      return false;
    }
  }
}

/** A write may take an object from the selector of one informer into that of another. */
function joinNotes<T>(notes: readonly NotedState<T>[]): NotedState<T> | undefined {
  const [first] = notes;
  return (
    first && {
      key: first.key,
      content: first.content,
      get isOver() {
        return notes.every(({ isOver }) => isOver);
      },
      over: waitForAll(notes),
    }
  );
}

async function waitForAll(notes: readonly { readonly over: Promise<void> }[]): Promise<void> {
  await Promise.all(notes.map(({ over }) => over));
}
