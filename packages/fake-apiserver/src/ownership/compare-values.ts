import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { memberOf } from "../base/read-fields.ts";
import {
  memberType,
  shapeOf,
  type FieldType,
  type ListFields,
  type MapFields,
  type Shape,
} from "./field-type.ts";
import type { FieldSet } from "./field-set.ts";
import { FieldSetBuilder } from "./field-set-builder.ts";
import { checkedItemElement, fieldElement, type PathElement } from "./path-element.ts";

/** Differences of two values. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two values of a type, field by field where the type is granular. */
export function compareValues(before: unknown, after: unknown, type: FieldType): Comparison {
  return new ValueComparison().run(before, after, type);
}

class ValueComparison {
  readonly #added = new FieldSetBuilder();
  readonly #modified = new FieldSetBuilder();
  readonly #removed = new FieldSetBuilder();
  readonly #path: PathElement[] = [];

  run(before: unknown, after: unknown, type: FieldType): Comparison {
    this.#compareMembers(before, after, type);
    return {
      added: this.#added.build(),
      modified: this.#modified.build(),
      removed: this.#removed.build(),
    };
  }

  #compareAt(element: PathElement, before: unknown, after: unknown, type: FieldType): void {
    this.#path.push(element);
    const isWhole = this.#compareMembers(before, after, type);
    if (!isWhole && before === undefined) this.#added.add(this.#path);
    if (!isWhole && after === undefined) this.#removed.add(this.#path);
    this.#path.pop();
  }

  // Returns whether the values were compared as a whole.
  #compareMembers(before: unknown, after: unknown, type: FieldType): boolean {
    const left = shapeOf(type, before);
    const right = shapeOf(type, after);
    if (isAbsent(after)) return this.#compareAs(left, before, after, type);
    if (!isAbsent(before) && left !== right) this.#compareAs(left, before, after, type);
    return this.#compareAs(right, before, after, type);
  }

  #compareAs(shape: Shape, before: unknown, after: unknown, { list, map }: FieldType): boolean {
    if (shape === "list" && list?.keys !== undefined) {
      const [left, right] = [itemsOf(before), itemsOf(after)];
      if (left.length > 0 || right.length > 0) {
        this.#compareLists(left, right, list);
        return false;
      }
    }
    if (shape === "map" && map?.isAtomic === false) {
      const [left, right] = [membersOf(before), membersOf(after)];
      if (!isEmpty(left) || !isEmpty(right)) {
        this.#compareMaps(left, right, map);
        return false;
      }
    }
    if (before === undefined) this.#added.add(this.#path);
    else if (after === undefined) this.#removed.add(this.#path);
    else if (!isJsonEqual(before, after)) this.#modified.add(this.#path);
    return true;
  }

  #compareMaps(before: JsonObject, after: JsonObject, type: MapFields): void {
    for (const name in before) {
      const [left, right] = [before[name], memberOf(after, name)];
      // Equal values have no differences below.
      if (left === undefined || isJsonEqual(left, right)) continue;
      this.#compareAt(fieldElement(name), left, right, memberType(type, name));
    }
    for (const name in after) {
      if (memberOf(before, name) !== undefined || after[name] === undefined) continue;
      this.#compareAt(fieldElement(name), undefined, after[name], memberType(type, name));
    }
  }

  #compareLists(before: readonly unknown[], after: readonly unknown[], type: ListFields): void {
    const [left, right] = [byElement(before, type), byElement(after, type)];
    for (const [element, items] of left) {
      this.#compareItems(element, items, right.get(element) ?? [], type.item);
    }
    for (const [element, items] of right) {
      if (!left.has(element)) this.#compareItems(element, [], items, type.item);
    }
  }

  // The fields of duplicate items cannot be distinguished.
  #compareItems(
    element: PathElement,
    before: readonly unknown[],
    after: readonly unknown[],
    type: FieldType,
  ): void {
    if (isJsonEqual(before, after)) return;
    const [left] = before;
    const [right] = after;
    if (before.length <= 1 && after.length <= 1) {
      this.#compareAt(element, left, right, type);
      return;
    }
    if (after.length === 1) this.#compareAt(element, undefined, right, type);
    if (before.length === 1) this.#compareAt(element, left, undefined, type);
    let changed = this.#modified;
    if (after.length <= 1) changed = this.#removed;
    if (before.length <= 1) changed = this.#added;
    changed.add([...this.#path, element]);
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function byElement(
  items: readonly unknown[],
  type: ListFields,
): ReadonlyMap<PathElement, readonly unknown[]> {
  return Map.groupBy(items, (item) => checkedItemElement(type, item));
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

function isEmpty(object: JsonObject): boolean {
  for (const name in object) return name === undefined;
  return true;
}
