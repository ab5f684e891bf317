import { TransformError } from "./errors.ts";

/**
 * Changes an object before it is queued or stored, to save memory for instance; may return the
 * object itself, changed in place. What it throws goes to the writer, or for an object of a list to
 * `onError`, as the cause of a {@link TransformError}.
 */
export type Transform<T> = (object: T) => T;

/**
 * Runs a transform.
 *
 * @throws {TransformError} if the transform throws
 */
export function applyTransform<T>(transform: Transform<T>, object: T): T {
  try {
    return transform(object);
  } catch (error) {
    throw new TransformError(object, error);
  }
}
