import type { JsonPatch, JsonPatchOperation } from "@listwatch/client";
import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { alignArrays } from "./align-arrays.ts";

/**
 * Returns the JSON patch (RFC 6902) that turns one JSON value into another: no operations for equal
 * values. Members that are `undefined` count as absent. The first argument is not modified.
 *
 * Elements of arrays are matched, so that an element that was inserted or removed does not change
 * the others. An array is replaced as a whole where that takes fewer bytes. There is no `test`
 * operation: the server applies the patch to the object that it sent.
 *
 * ```ts
 * import { createJsonPatch } from "@listwatch/webhooks";
 *
 * const patch = createJsonPatch({ data: { "a/b": "1", c: "2" } }, { data: { "a/b": "1" } });
 * if (JSON.stringify(patch) !== '[{"op":"remove","path":"/data/c"}]')
 *   throw new Error("differs");
 * ```
 *
 * @param before value that the patch applies to
 * @param after value to reach
 */
export function createJsonPatch(before: unknown, after: unknown): JsonPatch {
  return compare(before, after, "");
}

function compare(before: unknown, after: unknown, path: string): JsonPatch {
  if (isJsonEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after)) return compareObjects(before, after, path);
  const replacement: JsonPatch = [{ op: "replace", path, value: after }];
  if (!Array.isArray(before) || !Array.isArray(after)) return replacement;
  const changes = compareArrays(before, after, path);
  return sizeOf(changes) > sizeOf(replacement) ? replacement : changes;
}

function compareObjects(before: JsonObject, after: JsonObject, path: string): JsonPatch {
  const removed = namesOf(before).filter((name) => !hasMember(after, name));
  const operations: JsonPatchOperation[] = removed.map((name) => ({
    op: "remove",
    path: `${path}/${escapePointer(name)}`,
  }));
  for (const name of namesOf(after)) {
    const member = `${path}/${escapePointer(name)}`;
    const value = after[name];
    if (hasMember(before, name)) operations.push(...compare(before[name], value, member));
    else operations.push({ op: "add", path: member, value });
  }
  return operations;
}

function namesOf(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

// A member named `__proto__` or `constructor` is inherited where it is absent.
function hasMember(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

function compareArrays(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): JsonPatch {
  const operations: JsonPatchOperation[] = [];
  // Position in the array as it is after the operations so far.
  let index = 0;
  for (const step of alignArrays(before, after)) {
    const element = `${path}/${index}`;
    if (step.type === "removed") {
      operations.push({ op: "remove", path: element });
      continue;
    }
    if (step.type === "added") operations.push({ op: "add", path: element, value: step.after });
    if (step.type === "changed") operations.push(...compare(step.before, step.after, element));
    index += 1;
  }
  return operations;
}

// RFC 6901 §3.
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function sizeOf(patch: JsonPatch): number {
  return JSON.stringify(patch).length;
}
