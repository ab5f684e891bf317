import { metaNamespaceKey, type KeyFunction, type Cached } from "@listwatch/core-fifo";

/** A deletion that was seen: `object` is the last state, with the resourceVersion of the deletion. */
export interface SeenDeletion<T> {
  readonly stale: false;
  readonly key: string;
  readonly object: Cached<T>;
}

/**
 * A deletion nobody saw (a tombstone): a relist found the object gone. `object` is the last state
 * that was known, if any, and may be older than the state that was deleted.
 */
export interface MissedDeletion<T> {
  readonly stale: true;
  readonly key: string;
  readonly object?: Cached<T> | undefined;
}

/** What a delete handler is told; tell the two cases apart by `stale`. */
export type Deleted<T> = SeenDeletion<T> | MissedDeletion<T>;

/**
 * Callbacks for the changes of a collection; each may be left out. Calls of one handler never
 * overlap and keep the order of the changes of each object. A callback may return a promise: the
 * next call waits until it has settled. What a callback throws or rejects with is reported and
 * counts as processed.
 *
 * Objects are shared with the cache and with other handlers; they must not be changed.
 */
export interface ResourceEventHandler<T> {
  /**
   * @param isInInitialList whether the object was there when this handler came, rather than added
   *   since
   */
  onAdd?(object: Cached<T>, isInInitialList: boolean): unknown;
  /**
   * Also called for objects that did not change: on a resync `old` and `object` are one and the
   * same, after a relist they have the same resourceVersion. Different `metadata.uid`s mean that
   * the deletion between them was missed (GEN-3).
   */
  onUpdate?(old: Cached<T>, object: Cached<T>): unknown;
  onDelete?(deleted: Deleted<T>): unknown;
}

/** Options of {@link filteringHandler}. */
export interface FilterOptions<T> {
  /** Tells which objects the handler is to see. Must depend on nothing but the object. */
  readonly filter: (object: Cached<T>) => boolean;
  /**
   * Tells which deletions the handler is to see.
   *
   * @default those whose object passes `filter`, and those without an object
   */
  readonly filterDeleted?: (deleted: Deleted<T>) => boolean;
  /**
   * Gives the key of an object that no longer passes.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<Cached<T>>;
}

/**
 * Wraps a handler so that it sees only some of the objects, as if they were the whole collection:
 * an object that begins to pass is an add (never part of the initial list), one that no longer
 * passes is a delete of its former state (CTL-6).
 */
export function filteringHandler<T>(
  handler: ResourceEventHandler<T>,
  options: FilterOptions<T>,
): ResourceEventHandler<T> {
  const { filter, keyFunc = metaNamespaceKey } = options;
  const filterDeleted =
    options.filterDeleted ??
    ((deleted: Deleted<T>) => deleted.object === undefined || filter(deleted.object));
  return {
    onAdd: (object, isInInitialList) =>
      filter(object) ? handler.onAdd?.(object, isInInitialList) : undefined,
    onUpdate: (old, object) => {
      const passed = filter(old);
      if (filter(object)) {
        return passed ? handler.onUpdate?.(old, object) : handler.onAdd?.(object, false);
      }
      return passed
        ? handler.onDelete?.({ stale: false, key: keyFunc(old), object: old })
        : undefined;
    },
    onDelete: (deleted) => (filterDeleted(deleted) ? handler.onDelete?.(deleted) : undefined),
  };
}
