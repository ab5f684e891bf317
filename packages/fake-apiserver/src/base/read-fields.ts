import { type JsonObject, isRecord, recordOf, stringOf } from "@listwatch/core-fifo/base";

/** Returns the value at a path, undefined if a field is missing. */
export function field(object: unknown, ...path: readonly string[]): unknown {
  let value = object;
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Returns the string at a path, or "". */
export function text(object: unknown, ...path: readonly string[]): string {
  const value = field(object, ...path);
  return typeof value === "string" ? value : "";
}

/** Returns the number at a path, or 0. */
export function count(object: unknown, ...path: readonly string[]): number {
  const value = field(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** Whether the value at a path is `true`. */
export function flag(object: unknown, ...path: readonly string[]): boolean {
  return field(object, ...path) === true;
}

/** Returns the objects of the array at a path, without its other items. */
export function objects(object: unknown, ...path: readonly string[]): readonly JsonObject[] {
  const value = field(object, ...path);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the strings of the array at a path, without its other items. */
export function texts(object: unknown, ...path: readonly string[]): readonly string[] {
  const value = field(object, ...path);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Returns a map of strings, with "" for values of other types. */
export function textsOf(map: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(recordOf(map));
  return Object.fromEntries(entries.map(([key, value]) => [key, stringOf(value)]));
}

/** Returns the number of members of the object at a path. */
export function size(object: unknown, ...path: readonly string[]): number {
  return Object.keys(recordOf(field(object, ...path))).length;
}

/** Returns the first string that is not empty, otherwise `<none>`. */
export function orNone(...candidates: readonly string[]): string {
  return candidates.find((candidate) => candidate !== "") ?? "<none>";
}

/** Sets an own property, including `__proto__`. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") target[key] = value;
  else {
    const property = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(target, key, property);
  }
}

/** Returns an own member, unlike an inherited `constructor` or `__proto__`. */
export function memberOf(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether a value has more nested objects and arrays than `levels`. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  const object = recordOf(value);
  // Neither a list of the members nor a call for each text: this is part of each write.
  for (const name in object) {
    const member = object[name];
    if (typeof member === "object" && isDeeper(member, levels - 1)) return true;
  }
  return false;
}

/** Returns the indexes of items that an earlier item equals. Objects are compared by identity. */
export function repeatedIndexes(items: readonly unknown[]): ReadonlySet<number> {
  const seen = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [index, item] of items.entries()) {
    if (seen.has(item)) repeated.add(index);
    seen.add(item);
  }
  return repeated;
}

/** Computes a value for each object once, since texts of long lists are part of many errors. */
export function memoized<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      known.set(key, value);
    }
    return value;
  };
}
