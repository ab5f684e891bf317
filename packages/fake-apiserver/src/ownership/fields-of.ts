import { isRecord } from "@listwatch/core-fifo/base";
import {
  memberType,
  shapeOf,
  type FieldType,
  type ListFields,
  type MapFields,
} from "./field-type.ts";
import type { FieldSet } from "./field-set.ts";
import { FieldSetBuilder } from "./field-set-builder.ts";
import { checkedItemElement, fieldElement } from "./path-element.ts";

/** Returns the fields that a value sets, which its applier owns. */
export function fieldsOf(value: unknown, type: FieldType): FieldSet {
  const set = new FieldSetBuilder();
  addFields(value, type, set);
  return set.build();
}

function addFields(value: unknown, type: FieldType, set: FieldSetBuilder): void {
  switch (shapeOf(type, value)) {
    case "scalar":
      set.add();
      break;
    case "list":
      if (type.list !== undefined) addListFields(value, type.list, set);
      break;
    case "map":
      if (type.map !== undefined) addMapFields(value, type.map, set);
      break;
  }
}

function addListFields(value: unknown, type: ListFields, set: FieldSetBuilder): void {
  if (type.keys === undefined) {
    set.add();
  } else if (Array.isArray(value)) {
    for (const item of value) {
      const below = set.at(checkedItemElement(type, item));
      below.add();
      addFields(item, type.item, below);
    }
  }
}

function addMapFields(value: unknown, type: MapFields, set: FieldSetBuilder): void {
  if (type.isAtomic) {
    set.add();
  } else if (isRecord(value)) {
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      const below = set.at(fieldElement(name));
      addFields(member, memberType(type, name), below);
      if (member === null || isEmptyMap(member) || type.fieldOf(name) === undefined) below.add();
    }
  }
}

function isEmptyMap(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}
