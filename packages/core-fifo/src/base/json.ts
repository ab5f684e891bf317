/** Any JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON object under construction. */
export type MutableJsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: not null, an array, a string, a number or a boolean. */
export function isRecord(value: unknown): value is MutableJsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Returned for a missing member or one of another type: the zero value, as Go's decoder leaves it.

const emptyRecord: JsonObject = Object.freeze({});
const noStrings: readonly string[] = /* @__PURE__ */ Object.freeze([]);

/** Returns the value if it is a JSON object, otherwise an empty one. */
export function recordOf(value: unknown): JsonObject {
  return isRecord(value) ? value : emptyRecord;
}

/** Returns the value if it is a string, otherwise "". */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the value if it is a number, otherwise 0. */
export function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** Returns the strings of an array; none if the value is not an array. */
export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : noStrings;
}

/**
 * Whether two JSON values are equal. The order of members does not count, and an `undefined` member
 * counts as absent. O(size of the smaller value), without allocations.
 */
export function isJsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isJsonEqual(item, right[index]));
  }
  return isRecord(left) && isRecord(right) && areRecordsEqual(left, right);
}

function areRecordsEqual(left: JsonObject, right: JsonObject): boolean {
  let surplus = 0;
  for (const key in left) {
    if (left[key] === undefined) continue;
    if (!isJsonEqual(left[key], right[key])) return false;
    surplus += 1;
  }
  for (const key in right) if (right[key] !== undefined) surplus -= 1;
  return surplus === 0;
}
