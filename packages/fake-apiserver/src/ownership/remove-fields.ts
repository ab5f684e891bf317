import { isRecord, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { setMember } from "../base/read-fields.ts";
import {
  memberType,
  shapeOf,
  type FieldType,
  type ListFields,
  type MapFields,
} from "./field-type.ts";
import type { FieldSet } from "./field-set.ts";
import { checkedItemElement, fieldElement } from "./path-element.ts";

/**
 * Removes the paths of a set. An entered map or list becomes null if it is then empty or owned as a
 * whole (structured-merge-diff `removingWalker`, typed/remove.go).
 */
export function removeFields(value: unknown, set: FieldSet, type: FieldType): unknown {
  const shape = shapeOf(type, value);
  if (shape === "list" && type.list !== undefined) return removeItems(value, set, type.list);
  if (shape === "map" && type.map !== undefined) return removeMembers(value, set, type.map);
  return value;
}

function removeItems(value: unknown, set: FieldSet, type: ListFields): unknown {
  if (!Array.isArray(value) || type.keys === undefined) return null;
  const kept: unknown[] = [];
  for (const item of value) {
    const below = set.children.get(checkedItemElement(type, item));
    if (below?.has === true) continue;
    kept.push(below === undefined ? item : removeFields(item, below, type.item));
  }
  return kept.length === 0 ? null : kept;
}

function removeMembers(value: unknown, set: FieldSet, type: MapFields): unknown {
  if (!isRecord(value) || type.isAtomic) return null;
  const kept: MutableJsonObject = {};
  for (const name in value) {
    const below = set.children.get(fieldElement(name));
    if (below?.has === true) continue;
    const member = value[name];
    const left = below === undefined ? member : removeFields(member, below, memberType(type, name));
    setMember(kept, name, left);
  }
  return Object.keys(kept).length === 0 ? null : kept;
}
