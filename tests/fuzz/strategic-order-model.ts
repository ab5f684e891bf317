import { isRecord } from "@listwatch/core-fifo/base";

/** Returns the key of an item. @throws for an item without the key */
export function keyOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === "") return item;
  if (!isRecord(item) || !Object.hasOwn(item, mergeKey)) throw new Error("no key");
  return item[mergeKey];
}

/** Replaces each repetition by the last item. */
export function withoutRepetitions(items: readonly unknown[]): readonly unknown[] {
  const kept = [...items];
  for (let at = 0; at < kept.length; at++) {
    while (at < kept.length && kept.slice(0, at).includes(kept[at])) {
      const last = kept.pop();
      if (at < kept.length) kept[at] = last;
    }
  }
  return kept;
}

/** Separates the items that occur in another list from the others. */
export function divide(
  items: readonly unknown[],
  by: readonly unknown[],
  mergeKey: string,
): readonly [unknown[], unknown[]] {
  const keys = by.map((item) => keyOf(item, mergeKey));
  const isKnown = (item: unknown): boolean => keys.includes(keyOf(item, mergeKey));
  return [items.filter(isKnown), items.filter((item) => !isKnown(item))];
}

function placeIn(list: readonly unknown[], item: unknown, mergeKey: string): number {
  return list.findIndex((one) => keyOf(one, mergeKey) === keyOf(item, mergeKey));
}

/** Sorts by insertion. An item without a position precedes all that it is compared with. */
export function sortLike(
  items: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const sorted: unknown[] = [];
  for (const item of items) {
    const place = placeIn(order, item, mergeKey);
    let at = sorted.length;
    for (; at > 0; at--) {
      const before = placeIn(order, sorted[at - 1], mergeKey);
      if (place >= 0 && before >= 0 && place >= before) break;
    }
    sorted.splice(at, 0, item);
  }
  return sorted;
}

/** Merges two lists: takes the head of `rest` if it comes earlier in the order. */
export function interleave(
  known: readonly unknown[],
  rest: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string,
): readonly unknown[] {
  const [item, ...items] = known;
  const [other, ...others] = rest;
  if (known.length === 0) return rest;
  if (rest.length === 0) return known;
  const [left, right] = [placeIn(order, other, mergeKey), placeIn(order, item, mergeKey)];
  return left >= 0 && right >= 0 && left < right
    ? [other, ...interleave(known, others, order, mergeKey)]
    : [item, ...interleave(items, rest, order, mergeKey)];
}
