import { isRecord, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { memberOf, setMember } from "../base/read-fields.ts";
import {
  memberType,
  shapeOf,
  type FieldType,
  type ListFields,
  type MapFields,
} from "./field-type.ts";
import { checkedItemElement, type PathElement } from "./path-element.ts";

/**
 * Merges an applied value into a live one. Applied values win and order the items they name; other
 * values stay. The result shares unchanged parts.
 *
 * @param live `undefined` for none
 * @param applied `undefined` for none
 */
export function mergeValues(live: unknown, applied: unknown, type: FieldType): unknown {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const shape = shapeOf(type, applied ?? live);
  if (shape === "list" && type.list?.keys !== undefined)
    return mergeLists(live, applied, type.list);
  if (shape === "map" && type.map?.isAtomic === false) return mergeMaps(live, applied, type.map);
  return applied;
}

function mergeMaps(live: unknown, applied: unknown, type: MapFields): unknown {
  const [left, right] = [isRecord(live) ? live : {}, isRecord(applied) ? applied : {}];
  const merged: MutableJsonObject = {};
  let isChanged = false;
  for (const name in left) {
    const value = mergeValues(left[name], memberOf(right, name), memberType(type, name));
    isChanged ||= value !== left[name];
    setMember(merged, name, value);
  }
  for (const name in right) {
    if (Object.hasOwn(left, name)) continue;
    isChanged = true;
    setMember(merged, name, right[name]);
  }
  // Empty, absent and null are different.
  if (Object.keys(merged).length === 0) return applied;
  return isChanged ? merged : live;
}

interface Item {
  readonly element: PathElement;
  readonly value: unknown;
}

function mergeLists(live: unknown, applied: unknown, type: ListFields): unknown {
  const [left, right] = [itemsOf(live, type), itemsOf(applied, type)];
  if (left.length === 0 && right.length === 0) return applied;
  const merged = new ListMerge(left, right, type.item).run();
  const isSame =
    merged.length === left.length && merged.every((item, index) => item === left[index]?.value);
  return isSame ? live : merged;
}

function itemsOf(value: unknown, type: ListFields): readonly Item[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: unknown) => ({ element: checkedItemElement(type, item), value: item }));
}

/**
 * Merges a live list and an applied one in one walk. Shared items follow the applied order. An item
 * that only the live list has keeps its place before the next shared one.
 */
class ListMerge {
  readonly #live: readonly Item[];
  readonly #applied: readonly Item[];
  readonly #itemType: FieldType;
  /** Live values; none for duplicate items, which are replaced. */
  readonly #liveValues = new Map<PathElement, unknown>();
  readonly #appliedElements: ReadonlySet<PathElement>;
  readonly #shared: readonly PathElement[];
  #nextShared = 0;
  readonly #taken = new Set<PathElement>();
  readonly #merged: unknown[] = [];

  constructor(live: readonly Item[], applied: readonly Item[], itemType: FieldType) {
    this.#live = live;
    this.#applied = applied;
    this.#itemType = itemType;
    const liveElements = new Set<PathElement>();
    for (const { element, value } of live) {
      this.#liveValues.set(element, liveElements.has(element) ? undefined : value);
      liveElements.add(element);
    }
    this.#appliedElements = new Set(applied.map(({ element }) => element));
    this.#shared = applied.map(({ element }) => element).filter((at) => liveElements.has(at));
  }

  run(): readonly unknown[] {
    let [left, right] = [0, 0];
    while (left < this.#live.length || right < this.#applied.length) {
      const live = this.#live[left];
      const applied = this.#applied[right];
      if (live !== undefined && this.#keeps(live, applied)) {
        left += 1;
        continue;
      }
      // A shared item is finished once it has been taken, now or before.
      if (
        live !== undefined &&
        (live.element === applied?.element || this.#taken.has(live.element))
      ) {
        left += 1;
      }
      if (applied !== undefined) this.#take(applied);
      right += 1;
    }
    return this.#merged;
  }

  // Whether the live item is finished before the next applied one is taken.
  #keeps(live: Item, applied: Item | undefined): boolean {
    if (!this.#appliedElements.has(live.element)) {
      this.#merged.push(mergeValues(live.value, undefined, this.#itemType));
      return true;
    }
    // A shared item, but not the next one.
    const next = this.#shared[this.#nextShared];
    if (applied === undefined || live.element === applied.element) return false;
    return next !== undefined && next !== live.element;
  }

  #take({ element, value }: Item): void {
    this.#taken.add(element);
    this.#merged.push(mergeValues(this.#liveValues.get(element), value, this.#itemType));
    if (this.#shared[this.#nextShared] === element) this.#nextShared += 1;
  }
}
