import type { KeyFunction } from "../delta/keys.ts";
import { applyTransform, type Transform } from "../delta/transform.ts";

/**
 * An object after its transform, with the key it has now. The key is `""` if the transform left
 * nothing to compute one from: client-go queues such an object all the same, and its consumer
 * reports it (RF-21).
 *
 * @throws {TransformError} if the transform throws
 */
export function transformed<T>(
  object: T,
  key: string,
  transform: Transform<T>,
  keyFunc: KeyFunction<T>,
): { object: T; key: string } {
  const after = applyTransform(transform, object);
  return { object: after, key: after === object ? key : (keyIfAny(after, keyFunc) ?? "") };
}

/** The key of an object, or `undefined` if it has none. */
export function keyIfAny<T>(object: T, keyFunc: KeyFunction<T>): string | undefined {
  try {
    return keyFunc(object);
  } catch {
    return undefined;
  }
}
