import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { goPrint, goPrintType } from "../base/go-print.ts";
import {
  cannotMerge,
  elementType,
  hasDirective,
  isDeletion,
  noMergeKey,
} from "./strategic-directives.ts";

/** A list with the order that the patch wants it to have. */
export interface OrderedList {
  /** The live list, which the merge uses as memory. */
  readonly current: readonly unknown[] | undefined;
  /** The list of the patch. */
  readonly value: readonly unknown[] | undefined;
  /** The list of `$setElementOrder`. */
  readonly order: readonly unknown[];
  readonly mergeKey: string;
}

/**
 * Merges a list and puts it in order. Undefined if there is none.
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

/** Divides a list by whether an item is in another one. */
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

/** Two parts of a list, each with the list whose order it follows. */
interface Parts {
  readonly known: unknown[];
  readonly knownOrder: readonly unknown[];
  readonly others: unknown[];
  readonly othersOrder: readonly unknown[];
  readonly mergeKey: string;
}

/**
 * Orders both parts and puts them together: an item of the others comes first if it stands before
 * the next known one in their order.
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

// `normalizeSliceOrder` of patch.go: an item that is not in the order moves in front of everything
// that it is compared with, because the comparison says "before" for it.
function sortBy(list: unknown[], order: readonly unknown[], mergeKey: string): readonly unknown[] {
  if (mergeKey !== "") for (const item of [...list, ...order]) checkKey(item, mergeKey);
  const deleted = list.filter(isDeletion);
  const sorted = deleted.length === 0 ? list : list.filter((item) => !deleted.includes(item));
  const positions = positionsOf(order, mergeKey);
  const ranks = sorted.map((item) => positions.get(keyOf(item, mergeKey)));
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

// The items of the patch have to be in the order in the same relative places. Those with a
// directive are passed over, but one that comes when the order has ended is out of place, too:
// patch.go, `validatePatchWithSetOrderList`.
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
