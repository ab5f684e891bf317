import type {
  ListContext,
  ListMeta,
  ListOptions,
  RequestContext,
  WatchEvent,
  WatchOptions,
} from "@listwatch/client";

/**
 * Answer to a list request: a complete list document as it is, or one whose items still arrive. Of
 * the latter `apiVersion`, `kind` and `metadata` are complete once `items` has been read to its
 * end.
 */
export interface ListResult<T> {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ListMeta | undefined;
  /**
   * All items, or batches of them in the order of arrival, to be read once. An empty batch says
   * that the connection is alive. Leaving the iteration early ends the request.
   */
  readonly items: readonly T[] | AsyncIterable<readonly T[]>;
}

/**
 * An open watch: single events, or batches of them (no promise per event is needed when many arrive
 * together). An empty batch says that the connection is alive. It ends when the server ends it,
 * throws when the connection breaks, and leaving the iteration early closes it.
 */
export type WatchStream<T> = AsyncIterable<WatchEvent<T> | readonly WatchEvent<T>[]>;

/**
 * Source of a collection: two functions over any transport. Failures reject with a
 * {@link StatusError} when the server said no, with a {@link NetworkError} when it could not be
 * asked; anything else is treated as a failure that may pass.
 *
 * It does not paginate, retry or wait: the reflector does.
 */
export interface ListerWatcher<T> {
  list(options: ListOptions, context: ListContext<T>): Promise<ListResult<T>>;
  /** Resolves when the server has accepted the watch. A failed call leaves nothing open (LW-2). */
  watch(options: WatchOptions, context: RequestContext): Promise<WatchStream<T>>;
  /**
   * `false` opts out of streamed initial lists (LW-1).
   *
   * @default true
   */
  readonly watchListSupported?: boolean;
}
