import type { Wire } from "@listwatch/client";
import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { attributesOf } from "./model-class.ts";

/**
 * Converts a model object of `@kubernetes/client-node` to its JSON form. A `Date` becomes a string
 * in whole seconds, a `V1MicroTime` one with six decimals. Members get their API names (`_continue`
 * is `continue`), and members without a value are omitted. Plain JSON stays as it is. Returns a
 * copy; the argument is not changed.
 */
export function toWire<T>(value: T): Wire<T>;
export function toWire(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return textOfTime(value);
  if (Array.isArray(value)) return value.map((item: unknown) => toWire(item));
  const copy: MutableJsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined && typeof member !== "function") copy[name] = toWire(member);
  }
  return renameMembers(copy, value.constructor);
}

/** {@link toWire} for an item of a list. The item gets the kind that the list implies. */
export function itemToWire(item: unknown, { apiVersion, kind }: ListType): JsonObject {
  const wire = toWire(item);
  if (!isRecord(wire)) throw new TypeError("expected each item of the list to be an object");
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind?.endsWith("List") === true && { kind: kind.slice(0, -"List".length) }),
    ...wire,
  };
}

/** Type metadata of a list, which its items may lack. */
export interface ListType {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

/** Formats as `metav1.Time` and `metav1.MicroTime` do (RFC 3339). */
function textOfTime(time: Date): string | null {
  if (Number.isNaN(time.getTime())) return null;
  const text = time.toISOString();
  return text.length === "2026-01-01T00:00:00.000Z".length ? `${text.slice(0, 19)}Z` : text;
}

/** Replaces member names of a model class by those of the API. */
function renameMembers(object: MutableJsonObject, model: unknown): MutableJsonObject {
  for (const { baseName, name } of attributesOf(model) ?? []) {
    if (baseName === name || !(name in object)) continue;
    object[baseName] = object[name];
    delete object[name];
  }
  return object;
}
