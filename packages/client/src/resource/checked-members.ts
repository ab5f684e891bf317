import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";

// Values from the network may have any type. These checks drop values of a wrong type, and return
// the value itself where none is wrong.

/** Returns a value as far as it has the right type; otherwise `undefined`. */
export type MemberCheck = (value: unknown) => unknown;

/** Checks for a string. */
export const asText: MemberCheck = (value) => (typeof value === "string" ? value : undefined);

/** Checks for a finite number. */
export const asNumber: MemberCheck = (value) => (Number.isFinite(value) ? value : undefined);

/** Checks for an object whose listed members, if present, pass their checks. */
/* @__NO_SIDE_EFFECTS__ */
export function asRecord(members: Readonly<Record<string, MemberCheck>>): MemberCheck {
  return (value) => (isRecord(value) ? checkMembers(value, members) : undefined);
}

/** Checks for an array of values that pass a check. */
/* @__NO_SIDE_EFFECTS__ */
export function asArrayOf(check: MemberCheck): MemberCheck {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(check);
    if (items.every((item, index) => item === value[index] && item !== undefined)) return value;
    return items.filter((item) => item !== undefined);
  };
}

/** Returns the object without listed members of a wrong type. */
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
