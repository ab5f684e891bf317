/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON object under construction. */
export type MutableJsonObject = Record<string, unknown>;

/** True for JSON objects: neither null nor an array nor a scalar. */
export function isJsonObject(value: unknown): value is MutableJsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a text, else "". */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The texts in an array. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/**
 * Structural equality of two JSON values; the order of keys does not matter, and a key that holds
 * undefined is an absent key.
 */
export function jsonEquals(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => jsonEquals(item, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  let size = 0;
  for (const key in left) {
    if (left[key] === undefined) continue;
    if (!jsonEquals(left[key], right[key])) return false;
    size++;
  }
  for (const key in right) if (right[key] !== undefined) size--;
  return size === 0;
}
