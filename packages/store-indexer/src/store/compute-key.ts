import { DeletedFinalStateUnknown, KeyError, type KeyFunction } from "@listwatch/core-fifo";
import type { DeepReadonly } from "./deep-readonly.ts";
import { asPlain } from "./as-plain.ts";

/**
 * The key of an object. A tombstone comes here only if the key function is to judge it.
 *
 * @throws {KeyError} with what the key function threw
 */
export function computeKey<T>(
  keyFunc: KeyFunction<T>,
  object: T | DeepReadonly<T> | DeletedFinalStateUnknown<T>,
): string {
  try {
    return keyFunc(asPlain<T>(object));
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}

/** {@link computeKey} that takes the key of a tombstone from the tombstone. */
export function computeKeyToFind<T>(
  keyFunc: KeyFunction<T>,
  object: T | DeepReadonly<T> | DeletedFinalStateUnknown<T>,
): string {
  return object instanceof DeletedFinalStateUnknown ? object.key : computeKey(keyFunc, object);
}
