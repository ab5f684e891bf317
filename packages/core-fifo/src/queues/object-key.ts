import { KeyError, TransformError, type ListwatchError } from "../base/errors.ts";
import { applyTransform, computeKey, type Transform } from "../base/user-functions.ts";
import { checkKey } from "../base/values.ts";
import { DeletedFinalStateUnknown, type ReplacedAllDelta } from "../delta/delta.ts";
import type { KeyFunction } from "../delta/keys.ts";

/**
 * Same as {@link computeKey}, but uses the key of a tombstone. A queue of `unknown` may get
 * tombstones anywhere, as in client-go.
 */
export function computeDeletionHandlingKey<T>(
  keyFunc: KeyFunction<T>,
  object: T | DeletedFinalStateUnknown<T>,
): string {
  let key: unknown;
  try {
    key = object instanceof DeletedFinalStateUnknown ? object.key : keyFunc(object);
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
  return typeof key === "string" ? key : refuseKey(object, key);
}

function refuseKey(object: unknown, key: unknown): string {
  return computeKey(() => checkKey(key), object);
}

/**
 * Transforms an object and computes its key after that. The key is `undefined` if the transform
 * left nothing to compute it from: like client-go, the queue accepts such an object, and the
 * consumer reports it. Tombstones are not transformed.
 *
 * @throws {TransformError} if the transform throws
 */
export function transformKeyed<T>(
  object: T,
  key: string,
  transform: Transform<T>,
  keyFunc: KeyFunction<T>,
): { readonly object: T; readonly key: string | undefined } {
  if (object instanceof DeletedFinalStateUnknown) return { object, key };
  const after = applyTransform(transform, object);
  if (after === object) return { object, key };
  try {
    return { object: after, key: checkKey(keyFunc(after)) };
  } catch {
    return { object: after, key: undefined };
  }
}

/**
 * Transforms the objects of an atomic replace, and computes their keys if it checks them.
 *
 * @param failures receives the errors of skipped objects
 */
export type ReadList = <T>(
  listed: readonly T[],
  keyFunc: KeyFunction<T>,
  transform: Transform<T> | undefined,
  failures: ListwatchError[],
) => Pick<ReplacedAllDelta<T>, "objects" | "keys">;

/** Skips the objects that have no key or whose transform throws. */
export const readCheckedList: ReadList = <T>(
  listed: readonly T[],
  keyFunc: KeyFunction<T>,
  transform: Transform<T> | undefined,
  failures: ListwatchError[],
) => {
  const objects: T[] = [];
  const keys: string[] = [];
  for (const read of listed) {
    try {
      const object = transform === undefined ? read : applyTransform(transform, read);
      keys.push(computeDeletionHandlingKey(keyFunc, object));
      objects.push(object);
    } catch (error) {
      if (!(error instanceof KeyError || error instanceof TransformError)) throw error;
      failures.push(error);
    }
  }
  return { objects, keys };
};

/** Same as client-go: the first failure is that of the replace, and the consumer computes keys. */
export const readUncheckedList: ReadList = (listed, _, transform) => ({
  objects:
    transform === undefined
      ? [...listed]
      : listed.map((object) => applyTransform(transform, object)),
});
