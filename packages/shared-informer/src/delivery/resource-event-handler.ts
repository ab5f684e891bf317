import { metaNamespaceKey, type KeyFunction, type Cached } from "@listwatch/core-fifo";
import { checkSynchronous } from "@listwatch/core-fifo/base";
import type { Deleted, InformerEvent } from "../cache/informer-event.ts";

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
   * Called with an object that appeared.
   *
   * @param isInInitialList whether the object existed when this handler was added
   */
  onAdd?(object: Cached<T>, isInInitialList: boolean): unknown;
  /**
   * Called with the former and the present state of an object. Also called for objects that did not
   * change, unless it was added with `changesOnly`: on a resync `old` and `object` are one and the
   * same, after a relist they have the same resourceVersion. Different `metadata.uid`s mean that
   * the deletion between them was missed.
   */
  onUpdate?(old: Cached<T>, object: Cached<T>): unknown;
  /** Called with an object that is gone. */
  onDelete?(deleted: Deleted<T>): unknown;
}

/** Calls the callback of `handler` for an event; returns what the callback returned. */
export function callHandler<T>(handler: ResourceEventHandler<T>, event: InformerEvent<T>): unknown {
  switch (event.type) {
    case "update":
      return handler.onUpdate?.(event.old, event.object);
    case "add":
      return handler.onAdd?.(event.object, event.isInInitialList);
    case "delete":
  }
  return handler.onDelete?.(event);
}

/** Options of {@link filteringHandler}. */
export interface FilteringHandlerOptions<T> {
  /** Selects the objects that the handler gets. Must depend on nothing but the object. */
  readonly filter: (object: Cached<T>) => boolean;
  /**
   * Selects the deletions that the handler gets.
   *
   * @default those whose object passes `filter`, and those without an object
   */
  readonly filterDeleted?: ((deleted: Deleted<T>) => boolean) | undefined;
  /**
   * Computes the key of an object that no longer passes.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<Cached<T>> | undefined;
}

/**
 * Whether a filter selects an object.
 *
 * @throws {TypeError} if the filter gives a promise, which would select everything
 */
export function applyFilter<O>(filter: (object: O) => boolean, object: O): boolean {
  const isSelected = filter(object);
  if (typeof isSelected !== "boolean") checkSynchronous(isSelected, "true or false");
  return isSelected;
}

/**
 * Wraps a handler so that it gets only some of the objects, as if they were the whole collection:
 * an object that begins to pass is an add (never part of the initial list), one that no longer
 * passes is a delete of its former state (client-go `FilteringResourceEventHandler`,
 * tools/cache/controller.go).
 */
export function filteringHandler<T>(
  handler: ResourceEventHandler<T>,
  options: FilteringHandlerOptions<T>,
): ResourceEventHandler<T> {
  const { keyFunc = metaNamespaceKey } = options;
  const filter = (object: Cached<T>): boolean => applyFilter(options.filter, object);
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
