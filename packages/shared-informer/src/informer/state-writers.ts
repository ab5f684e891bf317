import { isRecord } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";

/** Remembers the writers of cached states that a watch has delivered. */
export abstract class StateWriters<T> {
  readonly #writers = new WeakMap<object, object>();

  /** Returns the writer of an event's state, if that followed the state that the write required. */
  abstract findWriter(event: InformerEvent<T>): object | undefined;

  /** Remembers the writer of a state that a watch delivers. */
  match(event: InformerEvent<T>): void {
    const { object } = event;
    const writer = this.findWriter(event);
    if (writer !== undefined && isRecord(object)) this.#writers.set(object, writer);
  }

  /** Returns the writer of a cached state, see {@link StateWriters.match}. */
  writerOf(object: unknown): object | undefined {
    // The map contains no values that are not objects.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#writers.get(object as object);
  }
}
