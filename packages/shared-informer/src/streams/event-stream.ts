import { aNumber, aSignal, aString, oneOf, type OptionsOf } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";

/**
 * Behaviour when events arrive faster than they are read.
 *
 * - `block`: once `max` events wait, the informer applies no further change until the reader has
 *   caught up. The delay goes back through queue and connection to the server. Nothing is skipped.
 *   It delays every other reader and handler of this informer.
 * - `coalesce`: each object only keeps the way from the state last read to the newest. Memory is
 *   bounded by the number of objects; intermediate states are skipped.
 * - `resync`: once more than `max` events wait, they are dropped. A reader that continues gets the
 *   difference between the state that it has read and the cache. Costs a reference per object.
 */
export type OverflowPolicy = "block" | "coalesce" | "resync";

/** Options of {@link Informer.events}. */
export interface EventsOptions {
  /** Behaviour when events arrive faster than they are read. @default "coalesce" */
  readonly overflow?: OverflowPolicy | undefined;
  /**
   * Number of unread events from which `block` and `resync` act. A list of the collection may
   * exceed it.
   *
   * @default 1000
   */
  readonly max?: number | undefined;
  /** Ends the stream and drops unread events. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Name for status and metrics. @default "events" */
  readonly name?: string | undefined;
}

/** Checks of {@link EventsOptions}. */
export const eventsTable: OptionsOf<EventsOptions> = {
  overflow: oneOf("block", "coalesce", "resync"),
  max: aNumber(1),
  signal: aSignal,
  name: aString,
};

/**
 * The changes of an informer as an async iterable, for `for await`. It starts to listen at the
 * first read, and first delivers the content of the cache. It ends without an error when the loop
 * ends, on abort, and with the informer.
 */
export interface EventStream<T> extends AsyncIterableIterator<InformerEvent<T>, undefined> {
  /** Name of the stream in reports. */
  readonly name: string;
  /** Number of unread events. */
  readonly backlog: number;
}

/** Default of {@link EventsOptions.max}: the largest number of changes in a batch. */
export const defaultMaxEvents: number = 1000;
