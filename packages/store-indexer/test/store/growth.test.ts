import type { IndexResult } from "@listwatch/store-indexer";
import { fieldOf, FieldSelector, KeyedStore, LabelSelector } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
// @boundaries-ignore a file of the repository that belongs to no package
import { growth, mostOfLinear, type Work } from "../../../../tests/support/growth.ts";

interface Indexed {
  readonly values: readonly string[];
}

// The author of an object chooses the number of its values, labels and members. Quadratic work
// would let one object stop a program.
const size = 250;

type Indexes = Record<string, string>;

const values = (object: Indexed): IndexResult<string> => object.values;

function createStore(
  indexers: Record<string, typeof values> = { values },
): KeyedStore<Indexed, Indexes> {
  return new KeyedStore<Indexed, Indexes>({ indexers });
}

function range(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `value ${from + index}`);
}

function withValues(count: number, from = 0): Indexed {
  return { values: range(count, from) };
}

/** Writes objects under one key in turn. */
function alternate(store: KeyedStore<Indexed, Indexes>, objects: readonly Indexed[]): Work {
  let next = 0;
  return () => store.add("a", objects[next++ % objects.length] ?? withValues(0));
}

/** Work on an object with this number of index values, or on this number of objects. */
const writes: Readonly<Record<string, (size: number) => Work>> = {
  "an add and a delete of an object": (count) => {
    const store = createStore();
    const object = withValues(count);
    return () => [store.add("a", object), store.delete("a")];
  },
  "an update that changes no value": (count) =>
    alternate(createStore(), [withValues(count), withValues(count)]),
  "an update that changes every value": (count) =>
    alternate(createStore(), [withValues(count), withValues(count, count)]),
  "an update that changes one value": (count) =>
    alternate(createStore(), [withValues(count), withValues(count, 1)]),
  "an update that changes the order": (count) =>
    alternate(createStore(), [withValues(count), { values: range(count).toReversed() }]),
  "values that are repeated": (count) => {
    const repeated = { values: [...range(count), ...range(count)] };
    const store = createStore();
    return () => [store.add("a", repeated), store.add("a", withValues(1)), store.delete("a")];
  },
  "equal values of two indexes": (count) => {
    const indexers = { values, others: (object: Indexed) => object.values };
    return alternate(createStore(indexers), [withValues(count), withValues(count, 1)]);
  },
  "a delete of an object that shares every value": (count) => {
    const store = createStore();
    for (const key of ["a", "b", "c"]) store.add(key, withValues(count));
    return () => [store.delete("a"), store.add("a", withValues(count))];
  },
  "one value of all objects": (count) => {
    const store = createStore();
    const object = withValues(1);
    const keys = range(count);
    return () => [
      keys.map((key) => store.add(key, object)),
      keys.map((key) => store.add(key, withValues(1, 1))),
      keys.map((key) => store.delete(key)),
    ];
  },
  "a new index over an object": (count) => {
    const object = withValues(count);
    return () => {
      const store = createStore();
      store.add("a", object);
      store.addIndexers({ others: values });
    };
  },
  "a replaced content": (count) => {
    const store = createStore();
    const contents = [withValues(count), withValues(count, 1)].map(
      (object) =>
        new Map([
          ["a", object],
          ["b", object],
        ]),
    );
    let next = 0;
    return () => store.replace(contents[next++ % 2] ?? new Map(), "1");
  },
};

const reads: Readonly<Record<string, (size: number) => Work>> = {
  "a read by two indexes": (count) => {
    const store = createStore({ values, others: (object: Indexed) => object.values });
    store.add("a", withValues(count));
    store.add("b", withValues(count));
    const names = range(count);
    return () => names.map((value) => store.byIndexes({ values: value, others: "value 0" }));
  },
  "a read of objects with a common value": (count) => {
    const store = createStore();
    for (const key of range(count)) store.add(key, withValues(1));
    const repeated = { values: Array.from({ length: count }, () => "value 0") };
    return () => store.index("values", repeated);
  },
  "a label selector of many requirements": (count) => {
    const names = Array.from({ length: count }, (_, index) => `label-${index}`);
    const labels = Object.fromEntries(names.map((name) => [name, "yes"]));
    const text = names.map((name) => `${name}=yes`).join(",");
    return () =>
      LabelSelector.parse(text)
        .with(...[])
        .matches(labels);
  },
  "a set of a label selector": (count) => {
    const names = Array.from({ length: count }, (_, index) => `value-${index}`);
    const selector = LabelSelector.parse(`label in (${names.join(",")})`);
    return () => names.map((label) => selector.matches({ label }));
  },
  "a field selector of many terms": (count) => {
    const text = Array.from({ length: count }, (_, index) => `f${index}!=a\\,b`).join(",");
    return () => FieldSelector.parse(text).matches(() => "c");
  },
  "the path of a field": (count) => {
    let object: object | string = "end";
    for (let depth = 0; depth < count; depth++) object = { a: object };
    const path = Array.from({ length: count }, () => "a").join(".");
    return () => fieldOf(object, path);
  },
};

describe("work grows with the size of what an object's author sends", () => {
  for (const [name, prepare] of Object.entries({ ...writes, ...reads })) {
    test(`${name} takes no quadratic time`, async () => {
      expect(await growth(size, prepare)).toBeLessThan(mostOfLinear);
    });
  }
});
