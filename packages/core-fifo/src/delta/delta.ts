import type { DeletedFinalStateUnknown } from "./tombstone.ts";

/** An object was added, was updated, came with a relist, or is handed out again by a resync. */
export interface UpsertDelta<T> {
  readonly type: "Added" | "Updated" | "Replaced" | "Sync";
  readonly key: string;
  readonly object: T;
}

/** An object is gone; a tombstone tells that its final state is unknown. */
export interface DeletedDelta<T> {
  readonly type: "Deleted";
  readonly key: string;
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** The whole collection, as one atomic delta. */
export interface ReplacedAllDelta<T> {
  readonly type: "ReplacedAll";
  readonly objects: readonly T[];
  /** The key of each object, if the queue checked them: `keys[i]` belongs to `objects[i]`. */
  readonly keys?: readonly string[];
  readonly resourceVersion: string;
}

/** Every known object is to be handed out again, as one atomic delta. */
export interface SyncAllDelta {
  readonly type: "SyncAll";
}

/** Nothing changed up to this resourceVersion. */
export interface BookmarkDelta {
  readonly type: "Bookmark";
  readonly resourceVersion: string;
}

/**
 * A change of one object. The key was computed when the delta was queued, after the transform, and
 * is carried along. It is `""` if the transform left nothing to compute a key from; who gets `""`
 * asks the key function.
 */
export type ObjectDelta<T> = UpsertDelta<T> | DeletedDelta<T>;

/** A change in a queue. */
export type Delta<T> = ObjectDelta<T> | ReplacedAllDelta<T> | SyncAllDelta | BookmarkDelta;

/** The kinds of {@link Delta}, spelled as in client-go. */
export type DeltaType = Delta<unknown>["type"];

/** The changes that one pop delivers, the oldest first; never empty. */
export type Deltas<T> = readonly Delta<T>[];
