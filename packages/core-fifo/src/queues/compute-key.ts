import { KeyError } from "../delta/errors.ts";
import type { KeyFunction } from "../delta/keys.ts";

/**
 * The key of an object.
 *
 * @throws {KeyError} with what the key function threw
 */
export function computeKey<T>(keyFunc: KeyFunction<T>, object: T): string {
  try {
    return keyFunc(object);
  } catch (cause) {
    throw new KeyError(object, { cause });
  }
}
