import type { Cached } from "@listwatch/core-fifo";

/** A deletion that the watch reported. `object` is the state that the server deleted. */
export interface SeenDeletion<T> {
  /** Always false: the watch reported the deletion. */
  readonly stale: false;
  /** Key of the deleted object. */
  readonly key: string;
  /** State that the server deleted. */
  readonly object: Cached<T>;
}

/**
 * A deletion that the watch missed (a tombstone): a relist no longer had the object. `object` is
 * the last known state, if there is one; the deleted state may be newer.
 */
export interface MissedDeletion<T> {
  /** Always true: the watch missed the deletion. */
  readonly stale: true;
  /** Key of the deleted object. */
  readonly key: string;
  /** Last known state, which may be older than the deleted one. Absent if none is known. */
  readonly object?: Cached<T> | undefined;
}

/** Argument of a delete handler. `stale` distinguishes the two cases. */
export type Deleted<T> = SeenDeletion<T> | MissedDeletion<T>;

/** An object appeared. */
export interface AddEvent<T> {
  /** Always `"add"`. */
  readonly type: "add";
  /** Key of the object. */
  readonly key: string;
  /** State of the object, shared with the cache and other handlers. */
  readonly object: Cached<T>;
  /** Whether the object existed when the receiver was added. */
  readonly isInInitialList: boolean;
}

/** An object changed, or is delivered again unchanged. */
export interface UpdateEvent<T> {
  /** Always `"update"`. */
  readonly type: "update";
  /** Key of the object. */
  readonly key: string;
  /** New state, shared with the cache and other handlers. */
  readonly object: Cached<T>;
  /** The state that the receiver got last. */
  readonly old: Cached<T>;
}

/** An object was deleted. */
export type DeleteEvent<T> = Deleted<T> & {
  /** Always `"delete"`. */
  readonly type: "delete";
};

/** One change of one object, as delivered to handlers and event streams. */
export type InformerEvent<T> = AddEvent<T> | UpdateEvent<T> | DeleteEvent<T>;

/** Creates the event for a stored object whose former state is `old`, if there is one. */
export function createUpsertEvent<T>(
  key: string,
  old: Cached<T> | undefined,
  object: Cached<T>,
  isInInitialList: boolean,
): InformerEvent<T> {
  return old === undefined
    ? { type: "add", key, object, isInInitialList }
    : { type: "update", key, object, old };
}

/** Creates the event for a deletion that the watch missed. */
export function createMissedDeleteEvent<T>(
  key: string,
  object: Cached<T> | undefined,
): InformerEvent<T> {
  return object === undefined
    ? { type: "delete", key, stale: true }
    : { type: "delete", key, stale: true, object };
}
