import {
  DeletedFinalStateUnknown,
  KeyError,
  type KeyFunction,
  type Cached,
} from "@listwatch/core-fifo";
import { checkKey } from "@listwatch/core-fifo/base";

/** What names the object that is to be found: one with its key, or a tombstone. */
export type ToFind<T> = T | Cached<T> | DeletedFinalStateUnknown<T | Cached<T>>;

/**
 * The key of an object. A tombstone comes here only if the key function is to judge it.
 *
 * @throws {KeyError} with what the key function threw
 */
export function computeKey<T>(keyFunc: KeyFunction<T>, object: ToFind<T>): string {
  try {
    // A user's function over T that only reads; given a tombstone, it may accept or refuse it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return checkKey(keyFunc(object as unknown as T));
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}

/** {@link computeKey} that takes the key of a tombstone from the tombstone. */
export function computeKeyToFind<T>(keyFunc: KeyFunction<T>, object: ToFind<T>): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : computeKey(keyFunc, object);
}
