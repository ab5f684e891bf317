import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";

/** One operation of a JSON Patch, with every field filled in. */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  /** "" where the operation has none. */
  readonly from: string;
  readonly value: unknown;
}

/** An operation that does not fit the object, or a test that failed. */
export class PatchNotApplicable extends Error {
  override readonly name: string = "PatchNotApplicable";
}

/**
 * What to do at the end of a path: gets the object or array there and the last key, gives the new
 * container.
 */
type Edit = (container: JsonObject | readonly unknown[], key: string) => unknown;

/** Applies one operation by copying the containers along its path. @throws {PatchNotApplicable} */
export function applyOperation(document: unknown, operation: JsonPatchOperation): unknown {
  const { op, path, from, value } = operation;
  if (op === "add") return editAt(document, path, (target, key) => addTo(target, key, value));
  if (op === "remove") return editAt(document, path, removeFrom);
  if (op === "replace") return replaceAt(document, path, value);
  if (op === "copy") {
    const copied = valueAt(document, from);
    return editAt(document, path, (target, key) => addTo(target, key, copied));
  }
  if (op === "move") {
    const moved = valueAt(document, from);
    const without = editAt(document, from, removeFrom);
    return editAt(without, path, (target, key) => addTo(target, key, moved));
  }
  testAt(document, path, value);
  return document;
}

function replaceAt(document: unknown, path: string, value: unknown): unknown {
  if (path === "") {
    if (isContainer(value)) return value;
    throw new PatchNotApplicable("Replacing a whole document needs an object or array");
  }
  return editAt(document, path, (target, key) => {
    if (childOf(target, key) === undefined) throw missing(path);
    return setIn(target, key, value);
  });
}

function testAt(document: unknown, path: string, expected: unknown): void {
  // A missing value equals null, as in the server's library; a missing container does not.
  const actual = path === "" ? document : (childOf(...containerAt(document, path)) ?? null);
  if (!isJsonEqual(actual, expected)) throw new PatchNotApplicable(`Testing ${path} failed`);
}

function valueAt(document: unknown, path: string): unknown {
  const value = childOf(...containerAt(document, path));
  if (value === undefined) throw missing(path);
  return value;
}

/** The container a path ends in, and the last key of the path. */
function containerAt(document: unknown, path: string): [JsonObject | readonly unknown[], string] {
  const keys = parsePointer(path);
  const last = keys.pop();
  let container = document;
  for (const key of keys) container = isContainer(container) ? childOf(container, key) : undefined;
  if (last === undefined || !isContainer(container)) throw missing(path);
  return [container, last];
}

function editAt(document: unknown, path: string, edit: Edit): unknown {
  const keys = parsePointer(path);
  if (keys.length === 0) throw missing(path);
  return editBelow(document, keys, 0, edit, path);
}

function editBelow(
  value: unknown,
  keys: readonly string[],
  depth: number,
  edit: Edit,
  path: string,
): unknown {
  const key = keys[depth];
  if (key === undefined || !isContainer(value)) throw missing(path);
  if (depth === keys.length - 1) return edit(value, key);
  const child = childOf(value, key);
  if (child === undefined) throw missing(path);
  return setIn(value, key, editBelow(child, keys, depth + 1, edit, path));
}

/** Splits a JSON pointer (RFC 6901); anything before the first slash is ignored, as the server does. */
function parsePointer(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function addTo(target: JsonObject | readonly unknown[], key: string, value: unknown): unknown {
  if (!isArray(target)) return setIn(target, key, value);
  if (key === "-") return [...target, value];
  return target.toSpliced(arrayIndex(target.length + 1, key), 0, value);
}

function removeFrom(target: JsonObject | readonly unknown[], key: string): unknown {
  if (isArray(target)) return target.toSpliced(arrayIndex(target.length, key), 1);
  if (!Object.hasOwn(target, key)) throw missing(key);
  const { [key]: _removed, ...rest } = target;
  return rest;
}

function setIn(target: JsonObject | readonly unknown[], key: string, value: unknown): unknown {
  if (isArray(target)) return target.with(arrayIndex(target.length, key), value);
  // Computed keys define own properties, so that "__proto__" is a name like any other.
  return { ...target, [key]: value };
}

function childOf(target: JsonObject | readonly unknown[], key: string): unknown {
  if (isArray(target)) return target[arrayIndex(target.length, key)];
  return Object.hasOwn(target, key) ? target[key] : undefined;
}

/** The server allows negative indices, which count from the end. */
function arrayIndex(length: number, key: string): number {
  if (!/^[+-]?\d+$/.test(key)) throw new PatchNotApplicable(`"${key}" is no array index`);
  const index = Number(key);
  const position = index < 0 ? index + length : index;
  if (position < 0 || position >= length) {
    throw new PatchNotApplicable(`Index ${key} is outside of an array of ${length}`);
  }
  return position;
}

function missing(path: string): PatchNotApplicable {
  return new PatchNotApplicable(`Nothing is at ${path}`);
}

function isContainer(value: unknown): value is JsonObject | readonly unknown[] {
  return typeof value === "object" && value !== null;
}

function isArray(value: JsonObject | readonly unknown[]): value is readonly unknown[] {
  return Array.isArray(value);
}
