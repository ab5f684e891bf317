import type { Cached } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import type { Deleted } from "@listwatch/shared-informer";
import { LabelSelector, labelSelectorOf, type LabelSelectorObject } from "@listwatch/store-indexer";

/**
 * Selects the changes that cause a reconcile. A missing member lets all changes of its kind
 * through. A predicate saves work, not memory: the cache still contains all objects. If it throws
 * or returns a promise, the informer reports it and the change passes.
 */
export interface Predicate<T> {
  /** Returns whether an object that appeared causes a reconcile. */
  add?(object: Cached<T>): boolean;
  /** Returns whether a change from `old` to `object` causes a reconcile. */
  update?(old: Cached<T>, object: Cached<T>): boolean;
  /** Returns whether a deletion causes a reconcile. */
  delete?(deleted: Deleted<T>): boolean;
}

/** A {@link Predicate} for updates of objects of any type. */
export interface UpdatePredicate {
  /** Returns whether a change from `old` to `object` causes a reconcile. */
  update(old: unknown, object: unknown): boolean;
}

/**
 * Passes updates that change `metadata.generation`: for most kinds the spec, not the status. Also
 * passes an update to another object of the name, which was created while no watch was open.
 */
export const generationChanged: UpdatePredicate = {
  update: (old, object) =>
    field(old, "generation") !== field(object, "generation") || isReplaced(old, object),
};

/** Passes updates that change labels, and updates to another object of the name. */
export const labelsChanged: UpdatePredicate = {
  update: (old, object) =>
    !isSameMap(metadataOf(old)?.labels, metadataOf(object)?.labels) || isReplaced(old, object),
};

/** Passes updates that change annotations, and updates to another object of the name. */
export const annotationsChanged: UpdatePredicate = {
  update: (old, object) =>
    !isSameMap(metadataOf(old)?.annotations, metadataOf(object)?.annotations) ||
    isReplaced(old, object),
};

/**
 * Passes updates that change `metadata.resourceVersion`, so not those of a resync
 * (controller-runtime `ResourceVersionChangedPredicate`), and updates to another object of the
 * name.
 */
export const resourceVersionChanged: UpdatePredicate = {
  update: (old, object) =>
    field(old, "resourceVersion") !== field(object, "resourceVersion") || isReplaced(old, object),
};

/**
 * Passes changes of objects whose labels match; of an update, the new labels count
 * (controller-runtime `LabelSelectorPredicate`). An object that loses the labels is not reconciled,
 * unless its owner is a source as well. Updates to another object of the name pass, and deletions
 * whose last state is unknown.
 *
 * @param selector as for `kubectl -l`, a parsed one, or a selector object
 * @throws {InvalidSelectorError} if the string is not a selector
 * @throws {InvalidRequirementError} if the object is not a selector
 */
export function labelSelector(
  selector: string | LabelSelector | LabelSelectorObject | null,
): Required<Predicate<unknown>> {
  const parsed =
    selector instanceof LabelSelector
      ? selector
      : LabelSelector.parse(typeof selector === "string" ? selector : labelSelectorOf(selector));
  const isSelected = (object: unknown): boolean => parsed.matches(metadataOf(object)?.labels);
  return {
    add: isSelected,
    update: (old, object) => isSelected(object) || isReplaced(old, object),
    delete: ({ object }) => object === undefined || isSelected(object),
  };
}

function isReplaced(old: unknown, object: unknown): boolean {
  return field(old, "uid") !== field(object, "uid");
}

function field(object: unknown, name: string): unknown {
  const metadata = metadataOf(object);
  return metadata === undefined ? undefined : Reflect.get(metadata, name);
}

function isSameMap(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}
