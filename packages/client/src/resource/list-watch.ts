import type { KubernetesObject } from "@listwatch/core-fifo";

/** How the server interprets the `resourceVersion` of a list or a streamed list. */
export type ResourceVersionMatch = "NotOlderThan" | "Exact";

/** Parameters of a list request. Absent ones are not sent. */
export interface ListOptions {
  /**
   * `""`: the newest state; `"0"`: any state from the server's cache; otherwise not older than
   * this.
   *
   * @default ""
   */
  readonly resourceVersion?: string | undefined;
  /**
   * Interpretation of `resourceVersion`: not older than it, or exactly it. The server refuses it
   * without one.
   *
   * @default none
   */
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /** Maximum number of items in the response; absent or 0 means no limit. @default none */
  readonly limit?: number | undefined;
  /** Token at the end of the previous page. @default none */
  readonly continue?: string | undefined;
}

/** Parameters of a watch request. Absent ones are not sent. */
export interface WatchOptions {
  /**
   * State after which changes are sent. `""` and `"0"` first send the current objects as ADDED
   * events.
   *
   * @default ""
   */
  readonly resourceVersion?: string | undefined;
  /**
   * Must be `NotOlderThan` with `sendInitialEvents`. The server refuses it without.
   *
   * @default none
   */
  readonly resourceVersionMatch?: ResourceVersionMatch | undefined;
  /**
   * Requests BOOKMARK events, about one a minute, with the latest resourceVersion.
   *
   * @default false
   */
  readonly allowWatchBookmarks?: boolean | undefined;
  /**
   * Requests the current state as ADDED events, followed by a marked bookmark: a streamed list
   * (KEP-3157).
   *
   * @default false
   */
  readonly sendInitialEvents?: boolean | undefined;
  /** Time after which the server ends the watch, in seconds. @default the server's, 30 to 60 min */
  readonly timeoutSeconds?: number | undefined;
}

/** Metadata of a list. */
export interface ListMeta {
  /** State of the list, from which a watch can continue. */
  readonly resourceVersion?: string | undefined;
  /** Token for the next page; absent or `""` on the last page. */
  readonly continue?: string | undefined;
  /** Number of items after this page. Absent on the last page, and for lists with a selector. */
  readonly remainingItemCount?: number | undefined;
  /** Echo of the shard selector; absent if the server ignored it (KEP-5866). */
  readonly shardInfo?:
    | {
        /** Shard selector that the server applied. */
        readonly selector?: string | undefined;
      }
    | undefined;
}

/** An object was created, changed or deleted. For a deletion, `object` is the final state. */
export interface ObjectEvent<T> {
  /**
   * Kind of the change: an object appeared, changed or was deleted, or changed its match of the
   * selector.
   */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** State after the change. For DELETED the final state, with the resourceVersion of the deletion. */
  readonly object: T;
}

/** The watch has delivered all changes up to the resourceVersion of this otherwise empty object. */
export interface BookmarkEvent {
  /** Always `BOOKMARK`. */
  readonly type: "BOOKMARK";
  /**
   * Object with a kind and a resourceVersion only. At the end of initial events it also has an
   * annotation.
   */
  readonly object: KubernetesObject;
}

/** Reason why the server ends the watch, usually a Status. */
export interface WatchErrorEvent {
  /** Always `ERROR`. The server ends the watch after it. */
  readonly type: "ERROR";
  /** Usually a {@link Status}, such as one with code 410 for an expired resourceVersion. Not checked. */
  readonly object: unknown;
}

/**
 * One event of a watch. A newer server may send other types than these; they are reported and
 * skipped.
 */
export type WatchEvent<T> = ObjectEvent<T> | BookmarkEvent | WatchErrorEvent;
