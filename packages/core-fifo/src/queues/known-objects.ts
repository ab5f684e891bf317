import type { ListwatchError } from "../base/errors.ts";
import { KnownObjectError } from "../delta/errors.ts";

/** The cache behind a queue, as far as the queue needs it; every store has these two methods. */
export interface KnownObjects<T> {
  listKeys(): Iterable<string>;
  /**
   * `undefined` when there is no such object. A queue reports what this throws and goes on without
   * the object.
   */
  getByKey(key: string): T | undefined;
}

/** What became of a lookup: the object is known, is not there, or nobody can tell. */
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
    onError(new KnownObjectError(key, { cause: error }));
    return { status: "failed" };
  }
  return object === undefined ? { status: "absent" } : { status: "found", object };
}
