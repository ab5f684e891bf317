import {
  isJsonEqual,
  isRecord,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import { memberOf } from "../base/read-fields.ts";
import {
  memberType,
  shapeOf,
  type FieldType,
  type ListFields,
  type MapFields,
} from "./field-type.ts";
import type { FieldSet } from "./field-set.ts";
import { systemFields } from "./ownership-request.ts";
import { checkedItemElement, fieldElement, type PathElement } from "./path-element.ts";

const nothing: JsonObject = Object.freeze({});

interface Excluded {
  /** Neither they nor fields below them are owned. */
  readonly reset: FieldSet | undefined;
  /** They are not owned, but fields below them can be. */
  readonly system: FieldSet | undefined;
}

const free: Excluded = { reset: undefined, system: undefined };

/**
 * Returns the fields that the creator of an object owns, as `fieldsV1`. Equals a comparison with an
 * empty object, but in one walk: this is most of the cost of a create.
 */
export function createdFields(
  zero: JsonObject,
  object: JsonObject,
  type: FieldType,
  reset: FieldSet,
): JsonObject {
  return fieldsOf(zero, object, type, { reset, system: systemFields }) ?? nothing;
}

function fieldsOf(
  before: unknown,
  after: unknown,
  type: FieldType,
  excluded: Excluded,
): JsonObject | undefined {
  const fields: MutableJsonObject = {};
  const isOwn = before === undefined && excluded.system?.has !== true;
  if (isOwn) fields["."] = nothing;
  const shape = shapeOf(type, after);
  let hasMembers: boolean;
  if (shape === "map" && type.map?.isAtomic === false && isRecord(after)) {
    hasMembers = addMembers(before, after, type.map, excluded, fields);
  } else if (shape === "list" && type.list?.keys !== undefined && Array.isArray(after)) {
    hasMembers = addItems(after, type.list, excluded, fields);
  } else {
    return excluded.system?.has === true ? undefined : nothing;
  }
  if (hasMembers) return fields;
  return isOwn ? nothing : undefined;
}

function addMembers(
  before: unknown,
  after: JsonObject,
  type: MapFields,
  excluded: Excluded,
  fields: MutableJsonObject,
): boolean {
  const zero = isRecord(before) ? before : nothing;
  let hasMembers = false;
  for (const name in after) {
    const member = after[name];
    if (member === undefined) continue;
    const initial = zero === nothing ? undefined : memberOf(zero, name);
    if (initial !== undefined && isJsonEqual(initial, member)) continue;
    const element = fieldElement(name);
    const below = excludedAt(excluded, element);
    if (below.reset?.has === true) continue;
    const owned = fieldsOf(initial, member, memberType(type, name), below);
    if (owned === undefined) continue;
    fields[element] = owned;
    hasMembers = true;
  }
  return hasMembers;
}

function addItems(
  items: readonly unknown[],
  type: ListFields,
  excluded: Excluded,
  fields: MutableJsonObject,
): boolean {
  for (const item of items) {
    const element = checkedItemElement(type, item);
    // The fields of duplicate items cannot be distinguished.
    fields[element] = Object.hasOwn(fields, element)
      ? nothing
      : (fieldsOf(undefined, item, type.item, excludedAt(excluded, element)) ?? nothing);
  }
  return items.length > 0;
}

function excludedAt({ reset, system }: Excluded, element: PathElement): Excluded {
  if (reset === undefined && system === undefined) return free;
  return { reset: reset?.children.get(element), system: system?.children.get(element) };
}
