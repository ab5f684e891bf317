import type { InformerEvent } from "../cache/informer-event.ts";

/**
 * What happens when events arrive faster than they are read.
 *
 * - `block`: once `max` events wait, the informer applies no further change until the reader has
 *   caught up; the delay goes back through queue and connection to the server. Nothing is left out.
 *   It delays every other reader and handler of this informer.
 * - `coalesce`: of each object only the way from the state last read to the newest waits: memory is
 *   bounded by the number of objects, states in between are left out.
 * - `resync`: once more than `max` events wait, they are dropped, and the reader gets what differs
 *   between what it has read and what the cache holds by the time it reads on. Costs a reference
 *   per object.
 */
export type OverflowPolicy = "block" | "coalesce" | "resync";

/** Options of {@link Informer.events}. */
export interface EventsOptions {
  /** What happens when events arrive faster than they are read. @default "coalesce" */
  readonly overflow?: OverflowPolicy | undefined;
  /**
   * Events that may wait before `block` and `resync` act. A list of the collection may exceed it.
   *
   * @default 1000
   */
  readonly max?: number | undefined;
  /** Ends the stream; what waits is dropped. */
  readonly signal?: AbortSignal | undefined;
  /** Name for status and metrics. @default "events" */
  readonly name?: string | undefined;
}

/**
 * The changes of an informer as an async iterable, for `for await`. It listens from the first read
 * on, and begins with everything in the cache. It ends, without an error, with the loop, on abort,
 * and with the informer.
 */
export interface EventStream<T> extends AsyncIterableIterator<InformerEvent<T>, undefined> {
  readonly name: string;
  /** Events that wait to be read. */
  readonly backlog: number;
}

/** What waits for a reader of events. */
export interface EventBuffer<T> {
  readonly length: number;
  push(event: InformerEvent<T>): void;
  /** Takes the next event; `undefined` when none waits. */
  shift(): InformerEvent<T> | undefined;
  clear(): void;
}

/** Default of {@link EventsOptions.max}: as many as a batch of changes has at most. */
export const defaultMaxEvents: number = 1000;
