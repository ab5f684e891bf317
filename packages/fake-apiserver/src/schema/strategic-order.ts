import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { goPrint, goPrintType } from "../base/go-print.ts";
import {
  cannotMerge,
  elementType,
  hasDirective,
  isDeletion,
  noMergeKey,
} from "./strategic-directives.ts";

/** A list and the order requested by the patch. */
export interface OrderedList {
  /** The live list, which the merge uses as memory. */
  readonly current: readonly unknown[] | undefined;
  /** List of the patch. */
  readonly value: readonly unknown[] | undefined;
  /** List of `$setElementOrder`. */
  readonly order: readonly unknown[];
  readonly mergeKey: string;
}

/**
 * Merges and orders a list. Returns undefined if there is none.
 *
 * @throws {ApiError} 500
 */
export function orderList(
  { current, mergeKey, order, value }: OrderedList,
  merge: () => readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  checkOrder(value ?? [], order, mergeKey);
  const merged = merge();
  if (merged === undefined) return undefined;
  const { known, others } = partition(merged, order, mergeKey);
  elementType(current ?? [], value ?? []);
  return mergeOrders({ known, knownOrder: order, others, othersOrder: current ?? [], mergeKey });
}

/** Splits a list into the items that another list contains and the others. */
export function partition(
  list: readonly unknown[],
  by: readonly unknown[],
  mergeKey: string,
): { readonly known: unknown[]; readonly others: unknown[] } {
  const keys = new Set(by.map((item) => keyOf(item, mergeKey)));
  const known: unknown[] = [];
  const others: unknown[] = [];
  for (const item of list) {
    if (mergeKey !== "") checkKey(item, mergeKey);
    (keys.has(keyOf(item, mergeKey)) ? known : others).push(item);
  }
  return { known, others };
}

/** Two parts of a list, each with the list that orders it. */
interface Parts {
  readonly known: unknown[];
  readonly knownOrder: readonly unknown[];
  readonly others: unknown[];
  readonly othersOrder: readonly unknown[];
  readonly mergeKey: string;
}

/**
 * Orders both parts and joins them. An item of `others` comes before the next known item if it
 * precedes that item in `othersOrder`.
 */
export function mergeOrders(parts: Parts): readonly unknown[] {
  const { mergeKey, othersOrder } = parts;
  const known = sortBy(parts.known, parts.knownOrder, mergeKey);
  const others = sortBy(parts.others, othersOrder, mergeKey);
  const positions = positionsOf(othersOrder, mergeKey);
  const merged: unknown[] = [];
  let next = 0;
  for (const item of known) {
    const position = positions.get(keyOf(item, mergeKey));
    const end = position ?? -1;
    while (next < others.length) {
      const other = positions.get(keyOf(others[next], mergeKey)) ?? end;
      if (other >= end) break;
      merged.push(others[next++]);
    }
    merged.push(item);
  }
  return [...merged, ...others.slice(next)];
}

// Go's sort package: `maxInsertion`.
const insertionSorted = 12;

// patch.go, `normalizeSliceOrder`: items outside the order compare as "before" any other one.
function sortBy(list: unknown[], order: readonly unknown[], mergeKey: string): readonly unknown[] {
  if (mergeKey !== "") for (const item of [...list, ...order]) checkKey(item, mergeKey);
  const deleted = list.filter(isDeletion);
  const sorted = deleted.length === 0 ? list : list.filter((item) => !isDeletion(item));
  const positions = positionsOf(order, mergeKey);
  const ranks = sorted.map((item) => positions.get(keyOf(item, mergeKey)));
  // Go sorts only short lists by insertion, which shows when items have no place in the order.
  if (sorted.length > insertionSorted || !ranks.includes(undefined)) {
    const rank = (item: unknown): number => positions.get(keyOf(item, mergeKey)) ?? -1;
    return [...sorted.toSorted((left, right) => rank(left) - rank(right)), ...deleted];
  }
  for (let index = 1; index < sorted.length; index++) {
    for (let at = index; at > 0 && isBefore(ranks[at], ranks[at - 1]); at--) {
      [sorted[at - 1], sorted[at]] = [sorted[at], sorted[at - 1]];
      [ranks[at - 1], ranks[at]] = [ranks[at], ranks[at - 1]];
    }
  }
  return [...sorted, ...deleted];
}

function isBefore(left: number | undefined, right: number | undefined): boolean {
  return left === undefined || right === undefined || left < right;
}

function positionsOf(list: readonly unknown[], mergeKey: string): ReadonlyMap<unknown, number> {
  const positions = new Map<unknown, number>();
  for (const [index, item] of list.entries()) {
    const key = keyOf(item, mergeKey);
    if (!positions.has(key)) positions.set(key, index);
  }
  return positions;
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === "") return item;
  return isRecord(item) ? item[mergeKey] : undefined;
}

function checkKey(item: unknown, mergeKey: string): JsonObject {
  if (!isRecord(item)) {
    throw cannotMerge(`expected a map[string]interface {}, but received a ${goPrintType(item)}`);
  }
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  return item;
}

// patch.go, `validatePatchWithSetOrderList`: skips directives, except after the order's end.
function checkOrder(value: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (value.length === 0 || order.length === 0) return;
  const isKeyed = mergeKey !== "";
  const items = isKeyed ? value.filter((item) => !isDeletion(item)) : value;
  let at = 0;
  for (const ordered of order) {
    if (isKeyed) while (hasDirective(items[at])) at++;
    if (at >= items.length) return;
    if (isKeyed) {
      checkKey(items[at], mergeKey);
      checkKey(ordered, mergeKey);
    }
    if (keyOf(items[at], mergeKey) === keyOf(ordered, mergeKey)) at++;
  }
  if (at < items.length) {
    throw cannotMerge(
      `The order in patch list:\n${goPrint(value)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`,
    );
  }
}
