import type { CompletedWrite } from "@listwatch/client";
import type { NotedWrite } from "@listwatch/shared-informer";
import type { AwaitedSource } from "./wait-for-sources.ts";

/** The members of a source that matter after its registration. */
interface Source extends AwaitedSource {
  noteWrite?(write: CompletedWrite, writer?: object): NotedWrite | undefined;
}

/** The sources of a controller. */
export class ControllerSources {
  readonly #sources: Source[] = [];

  get all(): readonly Source[] {
    return this.#sources;
  }

  add(source: Source): void {
    this.#sources.push(source);
  }

  /** Notes a write in the caches that will contain the object. Returns what they have to show. */
  noteWrite(write: CompletedWrite, writer: object | undefined): NotedWrite[] {
    const notes: NotedWrite[] = [];
    // An informer may be the source of several mappings.
    for (const source of new Set(this.#sources)) {
      const note = source.noteWrite?.(write, writer);
      if (note !== undefined) notes.push(note);
    }
    return notes;
  }
}
