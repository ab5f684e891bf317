import type { KubernetesObject } from "@listwatch/core-fifo";

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
