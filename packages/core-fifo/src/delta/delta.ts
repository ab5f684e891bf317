/** An object was added, was updated, came with a relist, or is handed out again by a resync. */
export interface UpsertDelta<T> {
  /** Cause of the delta: created, changed, part of a list, or delivered again. */
  readonly type: "Added" | "Updated" | "Replaced" | "Sync";
  /**
   * Computed when the delta was queued, after the transform. `undefined` if the transform left
   * nothing to compute it from.
   */
  readonly key: string | undefined;
  /** State of the object, after the transform. */
  readonly object: T;
}

/** An object was deleted. With a tombstone, its final state is unknown. */
export interface DeletedDelta<T> {
  /** Always `"Deleted"`. */
  readonly type: "Deleted";
  /** Key of the object, as in {@link UpsertDelta}: `undefined` if it could not be computed. */
  readonly key: string | undefined;
  /** Final state, or a tombstone if the watch missed the deletion. */
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** The whole collection, as one atomic delta. */
export interface ReplacedAllDelta<T> {
  /** Always `"ReplacedAll"`. */
  readonly type: "ReplacedAll";
  /** All objects of the list, after the transform, without those that it threw for. */
  readonly objects: readonly T[];
  /** Key of each object, if the queue checked them: `keys[i]` belongs to `objects[i]`. */
  readonly keys?: readonly string[] | undefined;
  /**
   * Keys of listed objects that are not in `objects`, because their current state cannot be used.
   * They are not deleted, so a cache keeps its content under these keys.
   */
  readonly keptKeys?: readonly string[] | undefined;
  /** State of the list. */
  readonly resourceVersion: string;
}

/** All known objects are to be delivered again, as one atomic delta. */
export interface SyncAllDelta {
  /** Always `"SyncAll"`. */
  readonly type: "SyncAll";
}

/** Nothing changed up to this resourceVersion. */
export interface BookmarkDelta {
  /** Always `"Bookmark"`. */
  readonly type: "Bookmark";
  /** State up to which there are no further changes. */
  readonly resourceVersion: string;
}

/** A change of one object. */
export type ObjectDelta<T> = UpsertDelta<T> | DeletedDelta<T>;

/** A change in a queue. */
export type Delta<T> = ObjectDelta<T> | ReplacedAllDelta<T> | SyncAllDelta | BookmarkDelta;

/** Types of {@link Delta}, spelled as in client-go. */
export type DeltaType = Delta<unknown>["type"];

/** Changes delivered by one pop, oldest first; at least one. */
export type Deltas<T> = readonly Delta<T>[];

/** Whether a delta is a change of one object, not of the whole collection. */
export function isObjectDelta<T>(delta: Delta<T>): delta is ObjectDelta<T> {
  return delta.type !== "ReplacedAll" && delta.type !== "SyncAll" && delta.type !== "Bookmark";
}

/**
 * Returns the object of a delta, taken out of its tombstone if there is one. A tombstone never
 * contains another one.
 */
export function objectOf<T>({ object }: ObjectDelta<T>): T | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}

/**
 * Replaces the object of a delete whose final state is unknown: the watch missed the deletion, and
 * a relist no longer had the object.
 */
export class DeletedFinalStateUnknown<T = never> {
  /** Key of the deleted object. */
  readonly key: string;
  /** Last known state. It may be older than the deleted one. */
  readonly object: T | undefined;

  /** @param object last known state; a tombstone without one fits objects of every type */
  constructor(key: string, object: undefined);
  constructor(key: string, object: T | undefined);
  constructor(key: string, object: T | undefined) {
    this.key = key;
    this.object = object;
  }
}
