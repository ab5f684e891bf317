import { DeletedFinalStateUnknown } from "./tombstone.ts";

/** An object was added, was updated, came with a relist, or is handed out again by a resync. */
export interface UpsertDelta<T> {
  readonly type: "Added" | "Updated" | "Replaced" | "Sync";
  /**
   * Computed when the delta was queued, after the transform. `undefined` if the transform left
   * nothing to compute a key from.
   */
  readonly key: string | undefined;
  readonly object: T;
}

/** An object is gone; a tombstone tells that its final state is unknown. */
export interface DeletedDelta<T> {
  readonly type: "Deleted";
  /** As in {@link UpsertDelta}. */
  readonly key: string | undefined;
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** The whole collection, as one atomic delta. */
export interface ReplacedAllDelta<T> {
  readonly type: "ReplacedAll";
  readonly objects: readonly T[];
  /** The key of each object, if the queue checked them: `keys[i]` belongs to `objects[i]`. */
  readonly keys?: readonly string[] | undefined;
  /**
   * With the option `keepLeftOut`: keys of listed objects that are not in `objects`, because their
   * transform threw. They are not gone: what a cache holds under these keys stays.
   */
  readonly keptKeys?: readonly string[] | undefined;
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

/** A change of one object. */
export type ObjectDelta<T> = UpsertDelta<T> | DeletedDelta<T>;

/** A change in a queue. */
export type Delta<T> = ObjectDelta<T> | ReplacedAllDelta<T> | SyncAllDelta | BookmarkDelta;

/** The kinds of {@link Delta}, spelled as in client-go. */
export type DeltaType = Delta<unknown>["type"];

/** The changes that one pop delivers, the oldest first; at least one. */
export type Deltas<T> = readonly Delta<T>[];

/** Whether a delta is a change of one object, not of the whole collection. */
export function isObjectDelta<T>(delta: Delta<T>): delta is ObjectDelta<T> {
  return delta.type !== "ReplacedAll" && delta.type !== "SyncAll" && delta.type !== "Bookmark";
}

/** The object of a delta, out of its tombstone if it has one: a tombstone never holds another one. */
export function objectOf<T>({ object }: ObjectDelta<T>): T | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}
