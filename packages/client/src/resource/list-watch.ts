import type { KubernetesObject } from "@listwatch/core-fifo";

/** How the server interprets the `resourceVersion` of a list or a streamed list. */
export type ResourceVersionMatch = "NotOlderThan" | "Exact";

/** Parameters of a list request. Those that are absent are not sent. */
export interface ListOptions {
  /**
   * `""`: the newest state; `"0"`: any state from the server's cache; otherwise not older than
   * this.
   */
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** Largest number of items in the answer; absent or 0 = no limit. */
  readonly limit?: number | undefined;
  /** Token that the page before this one ended with. */
  readonly continue?: string | undefined;
}

/** Parameters of a watch request. Those that are absent are not sent. */
export interface WatchOptions {
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  /**
   * Asks for the present state as ADDED events, followed by a marked bookmark: a streamed list
   * (KEP-3157).
   */
  readonly sendInitialEvents?: boolean | undefined;
  /** Time after which the server ends the watch, in seconds. */
  readonly timeoutSeconds?: number | undefined;
}

/** Metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string | undefined;
  /** Token for the next page; absent or `""` on the last one. */
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
  /** Echo of the shard selector; absent when the server ignored it (KEP-5866). */
  readonly shardInfo?: { readonly selector?: string | undefined } | undefined;
}

/** An object was created, changed or deleted. Of a deletion, `object` is the final state. */
export interface ObjectEvent<T> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

/** The watch has delivered all changes up to the resourceVersion of this otherwise empty object. */
export interface BookmarkEvent {
  readonly type: "BOOKMARK";
  readonly object: KubernetesObject;
}

/** The reason why the server ends the watch: normally a Status. */
export interface WatchErrorEvent {
  readonly type: "ERROR";
  readonly object: unknown;
}

/**
 * One event of a watch. A newer server may send other types than these; they are reported and
 * skipped.
 */
export type WatchEvent<T> = ObjectEvent<T> | BookmarkEvent | WatchErrorEvent;
