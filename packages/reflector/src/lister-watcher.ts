import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ReuseFunction } from "./decoder.ts";

/** How the server is to read the `resourceVersion` of a list or a watch-list. */
export type ResourceVersionMatch = "NotOlderThan" | "Exact";

/** Parameters of a list request. What is absent is not sent. */
export interface ListOptions {
  /**
   * `""`: the newest state; `"0"`: any state from the server's cache; otherwise not older than
   * this.
   */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** Largest number of items in the answer; absent or 0 = all. */
  readonly limit?: number;
  /** Token of the page before this one. */
  readonly continue?: string;
}

/** Parameters of a watch request. What is absent is not sent. */
export interface WatchOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  readonly allowWatchBookmarks?: boolean;
  /**
   * Asks for the present state as ADDED events, followed by a marked bookmark (KEP-3157,
   * "watch-list").
   */
  readonly sendInitialEvents?: boolean;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds?: number;
}

/** What a list says about itself. */
export interface ListMeta {
  readonly resourceVersion?: string | undefined;
  /** Token for the next page; absent or `""` on the last one. */
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
  /** Echo of the shard selector; absent when the server ignored it (KEP-5866). */
  readonly shardInfo?: { readonly selector?: string } | undefined;
}

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

/** An object came into being, changed, or is gone; of the last `object` is the final state. */
export interface ObjectEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

/** Nothing changed up to the resourceVersion of this otherwise empty object. */
export interface BookmarkEvent {
  readonly type: "BOOKMARK";
  readonly object: KubernetesObject;
}

/** The server ends the watch for this reason: a Status, normally. */
export interface ErrorEvent {
  readonly type: "ERROR";
  readonly object: unknown;
}

/**
 * One event of a watch. Other types than these can come from a server of the future; they are
 * reported and skipped.
 */
export type WatchEvent<T> = ObjectEvent<T> | BookmarkEvent | ErrorEvent;

/**
 * An open watch: single events, or batches of them (no promise per event is needed when many arrive
 * together). An empty batch says that the connection is alive. It ends when the server ends it,
 * throws when the connection breaks, and leaving the iteration early closes it.
 */
export type WatchStream<T> = AsyncIterable<WatchEvent<T> | readonly WatchEvent<T>[]>;

/** What accompanies each request. */
export interface RequestContext {
  /** Ends the request, or the stream that it opened. */
  readonly signal: AbortSignal;
}

/** What accompanies a list request. */
export interface ListContext<T> extends RequestContext {
  /**
   * Finds an object that is already held, so that its text need not be parsed again. May be
   * ignored.
   */
  readonly reuse?: ReuseFunction<T> | undefined;
}

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
