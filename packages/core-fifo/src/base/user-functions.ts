import { KeyError, TransformError } from "./errors.ts";
import { checkKey, checkSynchronous } from "./values.ts";

/**
 * Changes an object before it is queued or stored, for example to save memory. It may change the
 * object in place and return it. It must not return a promise. Its error goes to the writer or, for
 * an object of a list, to `onError`, as the cause of a {@link TransformError}.
 */
export type Transform<T> = (object: T) => T;

/**
 * Runs a transform.
 *
 * @throws {TransformError} if the transform throws or returns a promise
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

/**
 * Returns the key of an object.
 *
 * @throws {KeyError} with the error of the key function as `cause`
 */
export function computeKey<T>(keyFunc: (object: T) => string, object: T): string {
  try {
    return checkKey(keyFunc(object));
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}

/**
 * Calls a user's hook during work that must continue. An error of the hook reaches the runtime as
 * an uncaught error, one microtask later.
 */
export function callHook(hook: () => void): void {
  try {
    hook();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
