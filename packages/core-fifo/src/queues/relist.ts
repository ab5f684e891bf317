import type { DeletedDelta, Delta, ObjectDelta } from "../delta/delta.ts";
import type { ListwatchError } from "../base/errors.ts";
import { lookUp, type KnownObjects } from "./known-objects.ts";
import { DeletedFinalStateUnknown } from "../delta/tombstone.ts";

/** The newest queued delta of each key, in the order in which the keys were first queued. */
export function newestByKey<T>(queued: Iterable<Delta<T>>): Map<string, ObjectDelta<T>> {
  const newest = new Map<string, ObjectDelta<T>>();
  for (const delta of queued) if ("key" in delta) newest.set(delta.key, delta);
  return newest;
}

/**
 * The object of a queued delta, out of its tombstone if it has one: a tombstone never holds another
 * one.
 */
export function objectOf<T>(delta: Delta<T>): T | undefined {
  if (!("object" in delta)) return undefined;
  const { object } = delta;
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}

/**
 * Tombstones for known objects that a list no longer has and for which nothing is queued. Without
 * an object if the lookup fails (RF-7, DF-4).
 */
export function* tombstonesOfKnown<T>(
  knownObjects: KnownObjects<T>,
  isListedOrQueued: (key: string) => boolean,
  onError: (error: ListwatchError) => void,
): Generator<DeletedDelta<T>, undefined> {
  for (const key of knownObjects.listKeys()) {
    if (!isListedOrQueued(key)) {
      const known = lookUp(knownObjects, key, onError);
      const object = known.status === "found" ? known.object : undefined;
      yield { type: "Deleted", key, object: new DeletedFinalStateUnknown(key, object) };
    }
  }
  return undefined;
}
