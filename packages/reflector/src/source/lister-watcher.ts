import { describeValue } from "@listwatch/core-fifo/base";
import type {
  CollectionOptions,
  ListContext,
  ListMeta,
  ListOptions,
  WatchEvent,
  WatchOptions,
} from "@listwatch/client";
import { createNotAListError } from "@listwatch/client/base";

/**
 * Response to a list request: a complete list, or one whose items are still arriving. In the latter
 * `apiVersion`, `kind` and `metadata` are complete when `items` has been read to its end.
 */
export interface ListResult<T> {
  /** Group and version of the list, such as `v1`. */
  readonly apiVersion?: string | undefined;
  /** Kind of the list, such as `PodList`. Items without a kind have it without `List`. */
  readonly kind?: string | undefined;
  /** resourceVersion of the list, and the token for its next page. */
  readonly metadata?: ListMeta | undefined;
  /**
   * All items, or batches in order of arrival, to be read once. An empty batch shows that the
   * connection is alive. Leaving the loop early ends the request.
   */
  readonly items: readonly T[] | AsyncIterable<readonly T[]>;
}

/**
 * An open watch: single events, or batches of them, which need no promise per event. An empty batch
 * shows that the connection is alive. It ends when the server ends it, and throws when the
 * connection breaks. Leaving the loop early closes it.
 */
export type WatchStream<T> = AsyncIterable<WatchEvent<T> | readonly WatchEvent<T>[]>;

/** Collection that a source reads. An informer finds out by it which objects belong to its cache. */
export type SourceCollection = Pick<
  CollectionOptions,
  | "fields"
  | "fieldSelector"
  | "labelSelector"
  | "metadataOnly"
  | "namespace"
  | "resource"
  | "shardSelector"
>;

/**
 * Source of a collection: two functions over any transport. They reject with a {@link StatusError}
 * if the server refuses and with a {@link NetworkError} if it cannot be reached. Errors of Node,
 * `fetch` and `@kubernetes/client-node` are converted to these, with the original as `cause`: by
 * their HTTP code (`statusCode`, `code`, `status`), otherwise by the code of the system
 * (`ECONNREFUSED`), which may be that of a cause. Any other error counts as temporary.
 *
 * A source does not paginate, retry or wait; the reflector does.
 */
export interface ListerWatcher<T> {
  /** Reads one page, or the whole list if the server sends no token. */
  list(options: ListOptions, context: ListContext<T>): Promise<ListResult<T>>;
  /** Resolves when the server has accepted the watch. A failed call leaves nothing open. */
  watch(options: WatchOptions, context: ListContext<T>): Promise<WatchStream<T>>;
  /**
   * Whether the source streams initial lists (`sendInitialEvents`).
   *
   * @default true
   */
  readonly watchListSupported?: boolean | undefined;
  /**
   * The collection that it reads.
   *
   * @default unknown, so that an informer shows no write before it has read it back
   */
  readonly collection?: SourceCollection | undefined;
}

/**
 * Returns the items of a list. The lister-watcher may come from a program without types.
 *
 * @throws {ListwatchError} with the code `LW_NOT_A_LIST` if there are none
 */
export function itemsOf<T>(result: ListResult<T> | null | undefined): ListResult<T>["items"] {
  const items = result?.items;
  if (items !== undefined && (Array.isArray(items) || isAsyncIterable(items))) return items;
  throw createNotAListError(describeValue(result));
}

function isAsyncIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
