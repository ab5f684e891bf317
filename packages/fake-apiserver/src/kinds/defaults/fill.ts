import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../api/api-object.ts";

/** Changes a part of an object; returns what it was given if there is nothing to do. */
export type Defaulter = (value: JsonObject) => JsonObject;

/** Sets the members that are absent or "". */
export function fill(object: JsonObject, defaults: JsonObject): JsonObject {
  return fillWhere(
    object,
    defaults,
    (value) => value === undefined || value === null || value === "",
  );
}

/** Sets the members that are absent: for fields that are pointers in Go, where "" is a value. */
export function fillAbsent(object: JsonObject, defaults: JsonObject): JsonObject {
  return fillWhere(object, defaults, (value) => value === undefined || value === null);
}

function fillWhere(
  object: JsonObject,
  defaults: JsonObject,
  isUnset: (value: unknown) => boolean,
): JsonObject {
  let filled: MutableJsonObject | undefined;
  for (const name in defaults) {
    if (!isUnset(object[name])) continue;
    filled ??= { ...object };
    filled[name] = defaults[name];
  }
  return filled ?? object;
}

/** Changes a member that is an object. */
export function within(object: JsonObject, name: string, change: Defaulter): JsonObject {
  const member = object[name];
  if (!isRecord(member)) return object;
  const changed = change(member);
  return changed === member ? object : { ...object, [name]: changed };
}

/** Changes each object of a member that is a list. */
export function each(object: JsonObject, name: string, change: Defaulter): JsonObject {
  const list = object[name];
  if (!Array.isArray(list)) return object;
  let changed: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item: unknown = list[index];
    if (!isRecord(item)) continue;
    const next = change(item);
    if (next === item) continue;
    changed ??= list.slice();
    changed[index] = next;
  }
  return changed === undefined ? object : { ...object, [name]: changed };
}

/** Defaults of the spec of a kind. */
export function specDefaults(change: Defaulter): (object: ApiObject) => ApiObject {
  return (object) => {
    const { spec } = object;
    if (!isRecord(spec)) return object;
    const changed = change(spec);
    return changed === spec ? object : { ...object, spec: changed };
  };
}

/** An object of the API with other members; its metadata has not been touched. */
export function withMembersOf(changed: JsonObject, { metadata }: ApiObject): ApiObject {
  return { ...changed, metadata };
}

/** Fills in a phase in the object's status. */
export function withPhase(object: ApiObject, phase: string): ApiObject {
  const status = isRecord(object["status"]) ? object["status"] : {};
  const filled = fill(status, { phase });
  return filled === object["status"] ? object : { ...object, status: filled };
}
