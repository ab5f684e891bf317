import {
  ListwatchError,
  metaNamespaceKey,
  type KeyFunction,
  type Cached,
} from "@listwatch/core-fifo";
import {
  checkSynchronous,
  aFunction,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { Deleted, InformerEvent } from "../cache/informer-event.ts";

/**
 * Callbacks for the changes of a collection; all are optional. Calls of one handler never overlap,
 * and changes of an object arrive in order. A callback may return a promise: the next call waits
 * until it settles. An error of a callback is reported, and its event counts as processed.
 *
 * Objects are shared with the cache and other handlers. Do not change them.
 */
export interface ResourceEventHandler<T> {
  /**
   * Called with a new object.
   *
   * @param isInInitialList whether the object existed when this handler was added
   */
  onAdd?(object: Cached<T>, isInInitialList: boolean): unknown;
  /**
   * Called with the former and the current state of an object. Also called for unchanged objects,
   * unless the handler was added with `changesOnly`: in a resync `old` and `object` are identical,
   * after a relist they have the same resourceVersion. Different `metadata.uid`s mean that the
   * deletion between them was missed.
   */
  onUpdate?(old: Cached<T>, object: Cached<T>): unknown;
  /** Called with a deleted object. */
  onDelete?(deleted: Deleted<T>): unknown;
}

/** Calls the callback of `handler` for an event. Returns its result. */
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

/**
 * Returns a rejected promise for a callback that would wait for its own end, which takes place in
 * any case. A caller that does not await it is right, so the rejection counts as handled.
 */
export function refuseToWait(name: string): Promise<never> {
  const refusal = Promise.reject(
    new ListwatchError(
      "LW_WAITS_FOR_ITSELF",
      `Cannot wait for the end of ${name} inside a callback of a handler: the end waits for the ` +
        "callback",
      { advice: "Call it without await, or abort the signal of run(), and return" },
    ),
  );
  refusal.catch(() => {});
  return refusal;
}

/** Options of {@link filteringHandler}. */
export interface FilteringHandlerOptions<T> {
  /** Selects the objects for the handler. It must only depend on the object. */
  readonly filter: (object: Cached<T>) => boolean;
  /**
   * Selects the deletions for the handler.
   *
   * @default deletions whose object passes `filter`, and those without an object
   */
  readonly filterDeleted?: ((deleted: Deleted<T>) => boolean) | undefined;
  /**
   * Computes the key of an object that no longer passes.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<Cached<T>> | undefined;
}

const filterTable: OptionsOf<FilteringHandlerOptions<never>> = {
  filter: aFunction,
  filterDeleted: aFunction,
  keyFunc: aFunction,
};

/**
 * Whether a filter selects an object.
 *
 * @throws {TypeError} if the filter returns a promise, which would select every object
 */
export function applyFilter<O>(filter: (object: O) => boolean, object: O): boolean {
  const isSelected = filter(object);
  if (typeof isSelected !== "boolean") checkSynchronous(isSelected, "true or false");
  return isSelected;
}

/**
 * Wraps a handler so that it only gets some objects, as if they were the whole collection. An
 * object that starts to pass the filter is an add (never of the initial list); one that no longer
 * passes is a delete of its former state (client-go `FilteringResourceEventHandler`,
 * tools/cache/controller.go).
 */
export function filteringHandler<T>(
  handler: ResourceEventHandler<T>,
  options: FilteringHandlerOptions<T>,
): ResourceEventHandler<T> {
  checkOptions(options, filterTable, ["filter"]);
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
