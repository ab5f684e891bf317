import type { KubernetesObject } from "@listwatch/core-fifo";

/** How the server interprets the `resourceVersion` of a list or a streamed list. */
export type ResourceVersionMatch = "NotOlderThan" | "Exact";

/** Parameters of a list request. Absent ones are not sent. */
export interface ListOptions {
  /**
   * `""`: the newest state; `"0"`: any state from the server's cache; otherwise not older than
   * this.
   */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** Maximum number of items in the response; absent or 0 means no limit. */
  readonly limit?: number | undefined;
  /** Token at the end of the previous page. */
  readonly continue?: string | undefined;
}

/** Parameters of a watch request. Absent ones are not sent. */
export interface WatchOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  /**
   * Requests the current state as ADDED events, followed by a marked bookmark: a streamed list
   * (KEP-3157).
   */
  readonly sendInitialEvents?: boolean | undefined;
  /** Time after which the server ends the watch, in seconds. */
  readonly timeoutSeconds?: number | undefined;
}

/** Metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string | undefined;
  /** Token for the next page; absent or `""` on the last page. */
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
  /** Echo of the shard selector; absent if the server ignored it (KEP-5866). */
  readonly shardInfo?: { readonly selector?: string | undefined } | undefined;
}

/** An object was created, changed or deleted. For a deletion, `object` is the final state. */
export interface ObjectEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

/** The watch has delivered all changes up to the resourceVersion of this otherwise empty object. */
export interface BookmarkEvent {
  readonly type: "BOOKMARK";
  readonly object: KubernetesObject;
}

/** Reason why the server ends the watch, usually a Status. */
export interface WatchErrorEvent {
  readonly type: "ERROR";
  readonly object: unknown;
}

/**
 * One event of a watch. A newer server may send other types than these; they are reported and
 * skipped.
 */
export type WatchEvent<T> = ObjectEvent<T> | BookmarkEvent | WatchErrorEvent;
