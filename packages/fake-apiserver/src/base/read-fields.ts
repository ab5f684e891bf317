import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";

/** The value at a path of fields, undefined where one of them is missing. */
export function field(object: unknown, ...path: readonly string[]): unknown {
  let value = object;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** The text at a path, "" where there is none. */
export function text(object: unknown, ...path: readonly string[]): string {
  const value = field(object, ...path);
  return typeof value === "string" ? value : "";
}

/** The number at a path, 0 where there is none. */
export function count(object: unknown, ...path: readonly string[]): number {
  const value = field(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** True only for a `true` at the path. */
export function flag(object: unknown, ...path: readonly string[]): boolean {
  return field(object, ...path) === true;
}

/** The objects of the array at a path; everything else in it is left out. */
export function objects(object: unknown, ...path: readonly string[]): readonly JsonObject[] {
  const value = field(object, ...path);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The texts of the array at a path; everything else in it is left out. */
export function texts(object: unknown, ...path: readonly string[]): readonly string[] {
  const value = field(object, ...path);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** The number of members of the object at a path. */
export function size(object: unknown, ...path: readonly string[]): number {
  return Object.keys(recordOf(field(object, ...path))).length;
}

/** The first text that is not empty, else `<none>`. */
export function orNone(...candidates: readonly string[]): string {
  return candidates.find((candidate) => candidate !== "") ?? "<none>";
}
