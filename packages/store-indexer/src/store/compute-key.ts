import { DeletedFinalStateUnknown, type Cached, type KeyFunction } from "@listwatch/core-fifo";
import { computeKey as computeKeyOf } from "@listwatch/core-fifo/base";

/** Identifies the object to find: an object with its key, or a tombstone. */
export type ToFind<T> = T | Cached<T> | DeletedFinalStateUnknown<T | Cached<T>>;

/**
 * Returns the key of an object. A tombstone is only passed if the key function should judge it.
 *
 * @throws {KeyError} with the error of the key function as `cause`
 */
export function computeKey<T>(keyFunc: KeyFunction<T>, object: ToFind<T>): string {
  // A key function only reads `T`; it may accept or refuse a tombstone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return computeKeyOf(keyFunc, object as unknown as T);
}

/** Same as {@link computeKey}, but uses the key of a tombstone. */
export function computeKeyToFind<T>(keyFunc: KeyFunction<T>, object: ToFind<T>): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : computeKey(keyFunc, object);
}
