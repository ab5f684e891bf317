import type { KeyFunction } from "../delta/keys.ts";
import { DeletedFinalStateUnknown } from "../delta/delta.ts";
import { applyTransform, computeKey, type Transform } from "../base/user-functions.ts";
import { checkKey } from "../base/values.ts";

/**
 * Same as {@link computeKey}, but uses the key of a tombstone. A queue of `unknown` may get
 * tombstones anywhere, as in client-go.
 */
export function computeDeletionHandlingKey<T>(
  keyFunc: KeyFunction<T>,
  object: T | DeletedFinalStateUnknown<T>,
): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : computeKey(keyFunc, object);
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
