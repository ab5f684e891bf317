import {
  isRecord,
  type JsonObject,
  type MutableJsonObject,
  recordOf,
} from "@listwatch/core-fifo/base";
import {
  badPatchType,
  cannotMerge,
  elementType,
  noMergeKey,
  patchDirective,
} from "./strategic-directives.ts";
import { mergeOrders, partition } from "./strategic-order.ts";

/** Merges an item of the patch into the live item with the same key. */
export type MergeItem = (live: JsonObject, patch: MutableJsonObject) => MutableJsonObject;

/**
 * Merges two lists with the strategy `merge`. The live list serves as memory, like the array of a
 * Go slice. After deletions it has the same length, with stale items at its end that new items
 * overwrite first. `$setElementOrder` sorts by its remaining content.
 *
 * @throws {ApiError} 500
 */
export function mergeLists(
  live: unknown[],
  patch: readonly unknown[],
  mergeKey: string,
  mergeItem: MergeItem,
): readonly unknown[] {
  if (live.length === 0 && patch.length === 0) return live;
  // All items have one type, so any of them decides.
  if (elementType(live, patch) !== "map[string]interface {}") return mergeScalars(live, patch);
  const plain = applyDirectives(live, patch.filter(isRecord), mergeKey);
  const order = plain.live.array.slice(0, plain.live.length);
  const merged = mergeItems(plain.live, plain.patch, mergeKey, mergeItem);
  const { known, others } = partition(merged, plain.patch, mergeKey);
  return mergeOrders({ known, knownOrder: plain.patch, others, othersOrder: order, mergeKey });
}

/** Returns a list without the deleted items. */
export function deleteItems(list: readonly unknown[], deleted: readonly unknown[]): unknown[] {
  const gone = new Set(deleted);
  return list.filter((item) => !gone.has(item));
}

function mergeScalars(live: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const merged = deduplicate([...live, ...patch]);
  const { known, others } = partition(merged, patch, "");
  return mergeOrders({ known, knownOrder: patch, others, othersOrder: live, mergeKey: "" });
}

// The last item replaces each duplicate. strategicpatch/patch.go: `deduplicateScalars`.
function deduplicate(items: unknown[]): unknown[] {
  const seen = new Set<unknown>();
  let { length } = items;
  for (let index = 0; index < length; index++) {
    while (index < length && seen.has(items[index])) items[index] = items[--length];
    if (index < length) seen.add(items[index]);
  }
  return items.slice(0, length);
}

/** A Go slice: the first items of an array that may have spare capacity. */
interface Slice {
  readonly array: unknown[];
  readonly length: number;
}

function applyDirectives(
  live: unknown[],
  patch: readonly MutableJsonObject[],
  mergeKey: string,
): { readonly live: Slice; readonly patch: readonly MutableJsonObject[] } {
  const plain: MutableJsonObject[] = [];
  const deleted: unknown[] = [];
  let replaces = false;
  for (const item of patch) {
    if (!Object.hasOwn(item, patchDirective)) plain.push(item);
    else if (item[patchDirective] === "replace") replaces = true;
    else if (item[patchDirective] === "merge") {
      throw cannotMerge("merging lists cannot yet be specified in the patch");
    } else if (item[patchDirective] === "delete") {
      if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
      deleted.push(item[mergeKey]);
    } else throw badPatchType(item[patchDirective], item);
  }
  if (replaces) return { live: { array: plain, length: plain.length }, patch: [] };
  return { live: { array: live, length: deleteMatching(live, mergeKey, deleted) }, patch: plain };
}

/**
 * Deletes the items with the keys, one key after the other, and returns the new length. Like in Go,
 * each deletion moves the remaining items to the front and leaves those at the end in the array.
 */
function deleteMatching(live: unknown[], mergeKey: string, keys: readonly unknown[]): number {
  const places = Map.groupBy(live.keys(), (index) => recordOf(live[index])[mergeKey]);
  // The remaining items are a list with links in both directions; "length" ends it.
  const before = live.map((_, index) => index - 1);
  const after = live.map((_, index) => index + 1);
  let last = live.length - 1;
  const stale: unknown[] = [];
  for (const key of keys) {
    const found = places.get(key) ?? [];
    places.delete(key);
    for (let left = found.length, at = last; left > 0; left--, at = before[at] ?? -1) {
      stale.push(live[at]);
    }
    for (const index of found) {
      const [previous = -1, next = live.length] = [before[index], after[index]];
      if (next === live.length) last = previous;
      else before[next] = previous;
      if (previous >= 0) after[previous] = next;
    }
  }
  const kept: unknown[] = [];
  for (let at = last; at >= 0; at = before[at] ?? -1) kept.push(live[at]);
  const array = [...kept.toReversed(), ...stale.toReversed()];
  for (const [index, item] of array.entries()) live[index] = item;
  return kept.length;
}

function mergeItems(
  live: Slice,
  patch: readonly MutableJsonObject[],
  mergeKey: string,
  mergeItem: MergeItem,
): readonly unknown[] {
  let { array, length } = live;
  const positions = new Map<unknown, number>();
  for (let index = length - 1; index >= 0; index--) {
    positions.set(recordOf(array[index])[mergeKey], index);
  }
  for (const item of patch) {
    if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
    const at = positions.get(item[mergeKey]);
    const found = at === undefined ? undefined : array[at];
    if (at !== undefined && isRecord(found)) {
      array[at] = mergeItem(found, item);
      continue;
    }
    // Like Go, copies a full array: later changes are not visible in it.
    if (array === live.array && length === array.length) array = array.slice();
    positions.set(item[mergeKey], length);
    array[length++] = item;
  }
  return array.slice(0, length);
}
