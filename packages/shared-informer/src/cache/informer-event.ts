import type { Cached } from "@listwatch/core-fifo";

/** A deletion that the watch reported. `object` is the state that the server deleted. */
export interface SeenDeletion<T> {
  readonly stale: false;
  readonly key: string;
  readonly object: Cached<T>;
}

/**
 * A deletion that the watch missed (a tombstone): a relist no longer had the object. `object` is
 * the last known state, if there is one; the deleted state may be newer.
 */
export interface MissedDeletion<T> {
  readonly stale: true;
  readonly key: string;
  readonly object?: Cached<T> | undefined;
}

/** Argument of a delete handler. `stale` distinguishes the two cases. */
export type Deleted<T> = SeenDeletion<T> | MissedDeletion<T>;

/** An object appeared. */
export interface AddEvent<T> {
  readonly type: "add";
  readonly key: string;
  readonly object: Cached<T>;
  /** Whether the object existed when the receiver was added. */
  readonly isInInitialList: boolean;
}

/** An object changed, or is delivered again unchanged. */
export interface UpdateEvent<T> {
  readonly type: "update";
  readonly key: string;
  readonly object: Cached<T>;
  /** The state that the receiver got last. */
  readonly old: Cached<T>;
}

/** An object was deleted. */
export type DeleteEvent<T> = Deleted<T> & { readonly type: "delete" };

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
