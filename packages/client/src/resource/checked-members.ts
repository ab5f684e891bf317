import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";

// What comes from the wire is of any type. These checks leave out what has another type than the
// API gives it, and return the value itself where nothing has.

/** Returns a value as far as it has the right type; otherwise `undefined`. */
export type MemberCheck = (value: unknown) => unknown;

/** A string. */
export const asText: MemberCheck = (value) => (typeof value === "string" ? value : undefined);

/** A finite number. */
export const asNumber: MemberCheck = (value) => (Number.isFinite(value) ? value : undefined);

/** An object with these members, if it has them; others are left as they are. */
export function asRecord(members: Readonly<Record<string, MemberCheck>>): MemberCheck {
  return (value) => (isRecord(value) ? checkMembers(value, members) : undefined);
}

/** An array of such values. */
export function asArrayOf(check: MemberCheck): MemberCheck {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(check);
    if (items.every((item, index) => item === value[index] && item !== undefined)) return value;
    return items.filter((item) => item !== undefined);
  };
}

/** The object without those of these members that have another type. */
export function checkMembers(
  object: JsonObject,
  members: Readonly<Record<string, MemberCheck>>,
): JsonObject {
  let copy: MutableJsonObject | undefined;
  for (const [name, check] of Object.entries(members)) {
    const value = check(object[name]);
    if (value === object[name]) continue;
    copy ??= { ...object };
    if (value === undefined) delete copy[name];
    else copy[name] = value;
  }
  return copy ?? object;
}
