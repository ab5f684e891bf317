import type { Cached } from "../base/cached.ts";
import { ListwatchError } from "../base/errors.ts";
import type { DeletedDelta } from "../delta/delta.ts";
import { DeletedFinalStateUnknown } from "../delta/tombstone.ts";

/** The cache behind a queue, as far as the queue needs it; every store has these two methods. */
export interface KnownObjects<T> {
  listKeys(): Iterable<string>;
  /**
   * `undefined` when there is no such object. A queue reports what this throws and goes on without
   * the object.
   */
  getByKey(key: string): T | undefined;
}

/**
 * Known objects as a queue of `T` hands them out: the same objects, by identity, where they are
 * read-only by type in a store.
 */
export function asKnownObjects<T>(
  knownObjects: KnownObjects<T> | KnownObjects<Cached<T>> | undefined,
): KnownObjects<T> | undefined {
  // Generic code cannot know that a `Cached<T>` is a `T` but for its read-only members.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return knownObjects as KnownObjects<T> | undefined;
}

/** The result of a lookup: the object is known, is not known, or the cache failed to say. */
export type Lookup<T> =
  | { readonly status: "found"; readonly object: T }
  | { readonly status: "absent" }
  | { readonly status: "failed" };

/** Looks a key up; a failure goes to `onError`. */
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
 * The known objects for which nothing is queued, to be handed out again by a resync. Something
 * queued is newer than what is known: a resync must not bring the older state back.
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
 * Tombstones for known objects that a list no longer has and for which nothing is queued. A
 * tombstone has no object if the lookup fails.
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
