import { TransformError } from "./errors.ts";
import { checkSynchronous } from "./values.ts";

/**
 * Changes an object before it is queued or stored, to save memory for instance; may return the
 * object itself, changed in place; not a promise, which a queue cannot wait for. What it throws
 * goes to the writer, or for an object of a list to `onError`, as the cause of a
 * {@link TransformError}.
 */
export type Transform<T> = (object: T) => T;

/**
 * Runs a transform.
 *
 * @throws {TransformError} if the transform throws, or gives a promise
 */
export function applyTransform<T>(transform: Transform<T>, object: T): T {
  try {
    const transformed = transform(object);
    if (transformed !== object) checkSynchronous(transformed, "an object");
    return transformed;
  } catch (error) {
    throw new TransformError(object, error);
  }
}
