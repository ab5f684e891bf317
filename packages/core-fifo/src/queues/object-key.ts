import { KeyError } from "../delta/errors.ts";
import type { KeyFunction } from "../delta/keys.ts";
import { DeletedFinalStateUnknown } from "../delta/tombstone.ts";
import { applyTransform, type Transform } from "../base/transform.ts";
import { checkKey } from "../base/values.ts";

/**
 * The key of an object.
 *
 * @throws {KeyError} with what the key function threw
 */
export function computeKey<T>(keyFunc: KeyFunction<T>, object: T): string {
  try {
    return checkKey(keyFunc(object));
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}

/**
 * {@link computeKey} that takes the key of a tombstone from the tombstone. A queue of `unknown` may
 * be given one anywhere, as in client-go.
 */
export function computeDeletionHandlingKey<T>(
  keyFunc: KeyFunction<T>,
  object: T | DeletedFinalStateUnknown<T>,
): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : computeKey(keyFunc, object);
}

/**
 * An object after its transform, with the key that it has then. The key is `undefined` if the
 * transform left nothing to compute one from: client-go queues such an object all the same, and the
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
