import type { Cached } from "@listwatch/core-fifo";
import { checkSynchronous, metadataOf } from "@listwatch/core-fifo/base";
import type { Deleted } from "@listwatch/shared-informer";

/**
 * Selects the changes that cause a reconcile. A missing member lets all changes of its kind
 * through. A predicate saves work, not memory: the cache still contains all objects. If it throws
 * or returns a promise, the informer reports it and the change passes.
 */
export interface Predicate<T> {
  add?(object: Cached<T>): boolean;
  update?(old: Cached<T>, object: Cached<T>): boolean;
  delete?(deleted: Deleted<T>): boolean;
}

/** A {@link Predicate} for updates of objects of any type. */
export interface UpdatePredicate {
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

/** Lets through what at least one of the predicates lets through. */
export function anyOf(...predicates: readonly UpdatePredicate[]): UpdatePredicate;
/** Lets through what at least one of the predicates lets through. */
export function anyOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T>;
export function anyOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    add: (object) => predicates.some((predicate) => isLetThrough(predicate.add?.(object))),
    update: (old, object) =>
      predicates.some((predicate) => isLetThrough(predicate.update?.(old, object))),
    delete: (deleted) => predicates.some((predicate) => isLetThrough(predicate.delete?.(deleted))),
  };
}

/** Lets through what all of the predicates let through. */
export function allOf(...predicates: readonly UpdatePredicate[]): UpdatePredicate;
/** Lets through what all of the predicates let through. */
export function allOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T>;
export function allOf<T>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    add: (object) => predicates.every((predicate) => isLetThrough(predicate.add?.(object))),
    update: (old, object) =>
      predicates.every((predicate) => isLetThrough(predicate.update?.(old, object))),
    delete: (deleted) => predicates.every((predicate) => isLetThrough(predicate.delete?.(deleted))),
  };
}

/** @throws {TypeError} if the predicate returned a promise, which would let every change through */
function isLetThrough(answer: boolean | undefined): boolean {
  if (typeof answer !== "boolean") checkSynchronous(answer, "true or false");
  return answer ?? true;
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
