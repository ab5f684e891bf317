import type { Cached } from "../base/cached.ts";
import { ListwatchError } from "../base/errors.ts";
import { type DeletedDelta, DeletedFinalStateUnknown } from "../delta/delta.ts";

/** The methods of a cache that a queue in front of it uses. Every store has them. */
export interface KnownObjects<T> {
  /** Returns the keys of all objects in the cache. */
  listKeys(): Iterable<string>;
  /**
   * Returns `undefined` if there is no such object. The queue reports an error and continues
   * without the object.
   */
  getByKey(key: string): T | undefined;
}

/**
 * Returns known objects as a queue of `T` delivers them: the same objects, whose type in a store is
 * read-only.
 */
export function asKnownObjects<T>(
  knownObjects: KnownObjects<T> | KnownObjects<Cached<T>> | undefined,
): KnownObjects<T> | undefined {
  // Generic code cannot know that a `Cached<T>` only differs from `T` by read-only members.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return knownObjects as KnownObjects<T> | undefined;
}

/** Result of a lookup: the object is known, is unknown, or the cache failed. */
export type Lookup<T> =
  | { readonly status: "found"; readonly object: T }
  | { readonly status: "absent" }
  | { readonly status: "failed" };

/** Looks up a key. A failure goes to `onError`. */
export function lookUp<T>(
  knownObjects: KnownObjects<T>,
  key: string,
  onError: (error: ListwatchError) => void,
): Lookup<T> {
  let object: T | undefined;
  try {
    object = knownObjects.getByKey(key);
  } catch (error) {
    const message = `Cannot look up ${JSON.stringify(key)} in the known objects`;
    onError(new ListwatchError("LW_KNOWN_OBJECT", message, { cause: error }));
    return { status: "failed" };
  }
  return object === undefined ? { status: "absent" } : { status: "found", object };
}

/**
 * Iterates over known objects that are not queued, for a resync. Queued changes are newer: a resync
 * must not bring the older state back.
 */
export function* listUnqueued<T>(
  knownObjects: KnownObjects<T>,
  isQueued: (key: string) => boolean,
  onError: (error: ListwatchError) => void,
): Generator<{ readonly key: string; readonly object: T }, undefined> {
  for (const key of knownObjects.listKeys()) {
    if (isQueued(key)) continue;
    const known = lookUp(knownObjects, key, onError);
    if (known.status === "found") yield { key, object: known.object };
  }
  return undefined;
}

/**
 * Iterates over tombstones for known objects that are neither in the list nor queued. A tombstone
 * has no object if the lookup fails.
 */
export function* listTombstones<T>(
  knownObjects: KnownObjects<T>,
  isListedOrQueued: (key: string) => boolean,
  onError: (error: ListwatchError) => void,
): Generator<DeletedDelta<T> & { readonly key: string }, undefined> {
  for (const key of knownObjects.listKeys()) {
    if (isListedOrQueued(key)) continue;
    const known = lookUp(knownObjects, key, onError);
    const object = known.status === "found" ? known.object : undefined;
    yield { type: "Deleted", key, object: new DeletedFinalStateUnknown(key, object) };
  }
  return undefined;
}
