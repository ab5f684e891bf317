import { describeValue } from "@listwatch/core-fifo";

/** What tells items apart: compared as the keys of a `Map` are. */
export type ItemKey = string | number | bigint | boolean;

/** Gives the key of an item: equal items have equal keys, at all times. */
export type ItemKeyFunction<T> = (item: T) => ItemKey;

/**
 * The item itself, which is its own key if it is a primitive.
 *
 * @throws {TypeError} if it is none: two objects are never equal in JavaScript, so their queue
 *   needs a key function
 */
export function primitiveKey(item: unknown): ItemKey {
  switch (typeof item) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return item;
    case "object":
    case "function":
    case "symbol":
    case "undefined":
    default:
      throw new TypeError(
        `Couldn't tell an item from others: expected a primitive or a queue with a keyFunc, got ${describeValue(item)}`,
      );
  }
}
