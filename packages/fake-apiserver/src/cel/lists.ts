import { spend } from "./budget.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import type { CelFunction } from "./operators.ts";
import { operatorFunctions } from "./operators.ts";
import { intArgument, textArgument, textIndexOf, textLastIndexOf } from "./strings.ts";
import {
  compareValues,
  Duration,
  includes,
  isEqual,
  isFielded,
  isNumeric,
  keysOf,
  memberOf,
  Optional,
  traitsOf,
} from "./values.ts";

function listArgument(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw noSuchOverload();
  return value;
}

function extreme(name: string, sign: number): CelFunction {
  return (value) => {
    const [first, ...rest] = listArgument(value);
    if (first === undefined) throw new CelFailure(`${name} called on empty list`);
    return rest.reduce((best, item) => (compareValues(item, best) * sign > 0 ? item : best), first);
  };
}

function sum(value: unknown): unknown {
  const list = listArgument(value);
  const [first, ...rest] = list;
  if (first === undefined) return traitsOf(list)?.zero ?? 0n;
  // Joining texts or lists one by one would take longer than reading them.
  if (!isNumeric(first) && !(first instanceof Duration)) throw noSuchOverload();
  return rest.reduce((total, item) => operatorFunctions["add"]?.(total, item), first);
}

/** lists.go of k8s.io/apiserver cel/library, lists.go of cel-go's ext (version 3), and its sets. */
export const listFunctions: Readonly<Record<string, CelFunction>> = {
  ".isSorted": (value) =>
    listArgument(value).every(
      (item, index, all) => index === 0 || compareValues(all[index - 1], item) <= 0,
    ),
  ".sum": sum,
  ".min": extreme("min", -1),
  ".max": extreme("max", 1),
  ".indexOf": (value, item, from) => {
    if (typeof value === "string") return textIndexOf(value, item, from);
    return BigInt(listArgument(value).findIndex((other) => isEqual(other, item)));
  },
  ".lastIndexOf": (value, item, from) => {
    if (typeof value === "string") return textLastIndexOf(value, item, from);
    return BigInt(listArgument(value).findLastIndex((other) => isEqual(other, item)));
  },
  ".join": (value, separator = "") =>
    listArgument(value).map(textArgument).join(textArgument(separator)),
  ".slice": (value, start, end) => slice(listArgument(value), intArgument(start), intArgument(end)),
  ".flatten": (value, depth = 1n) => {
    const levels = intArgument(depth);
    if (levels < 0) throw new CelFailure("level must be non-negative");
    return flatten(listArgument(value), levels, []);
  },
  "lists.range": (count) => {
    const length = intArgument(count);
    if (length < 0) {
      throw new CelFailure(`lists.range: size must be non-negative, got ${length}`);
    }
    return Array.from({ length }, (_, index) => BigInt(index));
  },
  ".sort": (value) => listArgument(value).toSorted(compareValues),
  sortBy: (value, keys) => {
    const order = listArgument(keys);
    return listArgument(value)
      .map((item, index) => [item, order[index]] as const)
      .toSorted(([, left], [, right]) => compareValues(left, right))
      .map(([item]) => item);
  },
  ".reverse": (value) => listArgument(value).toReversed(),
  ".distinct": (value) => {
    const distinct: unknown[] = [];
    for (const item of listArgument(value)) if (!includes(distinct, item)) distinct.push(item);
    return distinct;
  },
  ".first": (value) => Optional.of(listArgument(value)[0]),
  ".last": (value) => Optional.of(listArgument(value).at(-1)),
  "sets.contains": (all, some) => contains(listArgument(all), listArgument(some)),
  "sets.equivalent": (left, right) =>
    contains(listArgument(left), listArgument(right)) &&
    contains(listArgument(right), listArgument(left)),
  "sets.intersects": (left, right) => {
    const others = listArgument(right);
    return listArgument(left).some((item) => includes(others, item));
  },
  range,
  entries,
};

function flatten(list: readonly unknown[], levels: number, flat: unknown[]): readonly unknown[] {
  spend(list.length);
  for (const item of list) {
    if (levels > 0 && Array.isArray(item)) flatten(item, levels - 1, flat);
    else flat.push(item);
  }
  return flat;
}

/** The values over which a macro iterates: items of a list, keys of a map. */
function range(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isFielded(value)) return keysOf(value);
  throw noSuchOverload();
}

const knownEntries = new WeakMap<object, readonly unknown[]>();

/** The index or key, and the value, of each item: created once for each list and map. */
function entries(value: unknown): readonly unknown[] {
  const items = range(value);
  const known = knownEntries.get(items);
  if (known !== undefined) return known;
  const pairs = items.map((item, index) =>
    isFielded(value) ? [item, memberOf(value, item)] : [BigInt(index), item],
  );
  knownEntries.set(items, pairs);
  return pairs;
}

function contains(all: readonly unknown[], some: readonly unknown[]): boolean {
  return some.every((item) => includes(all, item));
}

function slice(list: readonly unknown[], start: number, end: number): readonly unknown[] {
  if (start < 0 || end < 0) {
    throw new CelFailure(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end) {
    throw new CelFailure(
      `cannot slice(${start}, ${end}), start index must be less than or equal to end index`,
    );
  }
  if (end > list.length) {
    throw new CelFailure(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  }
  return list.slice(start, end);
}
