import { DeletedFinalStateUnknown, type Cached } from "@listwatch/core-fifo";
import { Indexer, namespaceIndex } from "@listwatch/store-indexer";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pod, type Pod } from "../pod.ts";

type Indexes = { namespace: string; node: string; zone: string };

const zonesOf = (object: Pod): string[] => object.metadata.annotations?.["zones"]?.split(",") ?? [];

/** A second implementation of each index function. */
const valuesOf: { readonly [N in keyof Indexes]: (object: Pod) => readonly string[] } = {
  namespace: (object) => [object.metadata.namespace ?? ""],
  node: (object) => (object.spec.nodeName === undefined ? [] : [object.spec.nodeName]),
  zone: zonesOf,
};
const indexNames = ["namespace", "node", "zone"] as const;
const indexValues = ["", "a", "b", "n1", "n2", "z1", "z2", "z3", "z17", "z39", "none"];

const keys = fc.constantFrom("a/one", "a/two", "b/one", "b/two", "cluster");

// Objects with more values than are searched one by one, in any order and repeated.
const zoneNames = Array.from({ length: 40 }, (_, index) => `z${index}`);
const manyZones = fc.oneof(
  fc.shuffledSubarray(zoneNames, { minLength: 15 }),
  fc.array(fc.constantFrom(...zoneNames), { minLength: 30, maxLength: 60 }),
);
const fewZones = fc.array(fc.constantFrom("z1", "z2", "z3"), { maxLength: 4 });

const pods: fc.Arbitrary<Pod> = fc
  .record({
    key: keys,
    nodeName: fc.constantFrom(undefined, "n1", "n2"),
    zones: fc.oneof({ weight: 3, arbitrary: fewZones }, { weight: 1, arbitrary: manyZones }),
    resourceVersion: fc.integer({ min: 1, max: 99 }).map(String),
  })
  .map(({ key, nodeName, zones, resourceVersion }) =>
    pod(key, {
      resourceVersion,
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(zones.length === 0 ? {} : { annotations: { zones: zones.join(",") } }),
    }),
  );

interface Item {
  readonly type: "Add" | "Update" | "Delete";
  readonly object: Pod;
}

const items: fc.Arbitrary<Item> = fc.record({
  type: fc.constantFrom("Add", "Update", "Delete"),
  object: pods,
});

type Operation =
  | { readonly name: "add" | "update" | "delete" | "bury"; readonly object: Pod }
  | { readonly name: "replace"; readonly objects: readonly Pod[] }
  | { readonly name: "transaction"; readonly items: readonly Item[] };

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      name: fc.constantFrom("add", "update", "delete", "bury"),
      object: pods,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constant("replace"),
      objects: fc.array(pods, { maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name: fc.constant("transaction"),
      items: fc.array(items, { maxLength: 6 }),
    }),
  },
);

const keyOf = ({ metadata: { namespace, name } }: Cached<Pod>): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

function write(store: Indexer<Pod, Indexes>, operation: Operation): void {
  switch (operation.name) {
    case "add":
      return store.add(operation.object);
    case "update":
      return store.update(operation.object);
    case "delete":
      return store.delete(operation.object);
    case "bury":
      return store.delete(new DeletedFinalStateUnknown(keyOf(operation.object), operation.object));
    case "replace":
      return store.replace(operation.objects, "100");
    case "transaction":
      return store.transaction(operation.items);
  }
}

function apply(model: Map<string, Pod>, operation: Operation): void {
  switch (operation.name) {
    case "add":
    case "update":
      model.set(keyOf(operation.object), operation.object);
      break;
    case "delete":
    case "bury":
      model.delete(keyOf(operation.object));
      break;
    case "replace":
      model.clear();
      for (const object of operation.objects) model.set(keyOf(object), object);
      break;
    case "transaction":
      for (const { type, object } of operation.items) {
        if (type === "Delete") model.delete(keyOf(object));
        else model.set(keyOf(object), object);
      }
      break;
  }
}

interface Content {
  readonly objects: readonly Cached<Pod>[];
  readonly keys: readonly string[];
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  readonly values: Readonly<Record<string, readonly string[]>>;
}

function contentOf(store: Indexer<Pod, Indexes>): Content {
  const indexes: Record<string, string[]> = {};
  const values: Record<string, string[]> = {};
  for (const name of indexNames) {
    values[name] = store.listIndexFuncValues(name).toSorted();
    for (const value of indexValues) {
      const found = store.byIndex(name, value);
      indexes[`${name}=${value}`] = found.map(keyOf).toSorted();
      indexes[`${name}=${value} by key`] = store.indexKeys(name, value);
      if (found.some((object) => store.get(object) !== object)) values[name].push("a stale object");
    }
  }
  return {
    objects: sortedByKey(store.list()),
    keys: store.listKeys().toSorted(),
    indexes,
    values,
  };
}

function contentOfModel(model: ReadonlyMap<string, Pod>): Content {
  const all = [...model.values()];
  const indexes: Record<string, string[]> = {};
  const values: Record<string, string[]> = {};
  for (const name of indexNames) {
    values[name] = [...new Set(all.flatMap((object) => valuesOf[name](object)))].toSorted();
    for (const value of indexValues) {
      const wanted = all.filter((object) => valuesOf[name](object).includes(value));
      indexes[`${name}=${value}`] = wanted.map(keyOf).toSorted();
      indexes[`${name}=${value} by key`] = wanted.map(keyOf).toSorted();
    }
  }
  return { objects: sortedByKey(all), keys: [...model.keys()].toSorted(), indexes, values };
}

function sortedByKey(objects: readonly Cached<Pod>[]): Cached<Pod>[] {
  return objects.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

test("any sequence of writes leaves every index equal to a filter over the list", () => {
  fc.assert(
    fc.property(fc.array(operations, { maxLength: 30 }), (sequence) => {
      const store = new Indexer<Pod, Indexes>({
        indexers: { ...namespaceIndex, node: (object) => object.spec.nodeName, zone: zonesOf },
      });
      const model = new Map<string, Pod>();
      for (const operation of sequence) {
        write(store, operation);
        apply(model, operation);
        expect(contentOf(store)).toEqual(contentOfModel(model));
      }
    }),
    { numRuns: 150 },
  );
});

test("an index added later equals one that existed from the start (IDX-7)", () => {
  fc.assert(
    fc.property(
      fc.array(operations, { maxLength: 15 }),
      fc.array(operations, { maxLength: 15 }),
      (before, after) => {
        const bare = new Indexer<Pod>();
        const model = new Map<string, Pod>();
        const view = bare as unknown as Indexer<Pod, Indexes>;
        for (const operation of before) {
          write(view, operation);
          apply(model, operation);
        }
        const store = bare
          .addIndexers<{ zone: string }>({ zone: zonesOf })
          .addIndexers<{ namespace: string; node: string }>({
            ...namespaceIndex,
            node: (object) => object.spec.nodeName,
          });
        expect(contentOf(store)).toEqual(contentOfModel(model));
        for (const operation of after) {
          write(store, operation);
          apply(model, operation);
        }
        expect(contentOf(store)).toEqual(contentOfModel(model));
      },
    ),
    { numRuns: 100 },
  );
});

test("byIndexes is the intersection of byIndex, index the union", () => {
  const queries = fc.record(
    {
      namespace: fc.constantFrom("a", "b", ""),
      node: fc.constantFrom("n1", "n2", "none"),
      zone: fc.constantFrom("z1", "z2"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(pods, { maxLength: 12 }), queries, pods, (content, query, probe) => {
      const store = new Indexer<Pod, Indexes>({
        indexers: { ...namespaceIndex, node: (object) => object.spec.nodeName, zone: zonesOf },
      });
      store.replace(content, "1");
      const intersection = store
        .list()
        .filter((object) =>
          indexNames.every(
            (name) =>
              query[name] === undefined || store.byIndex(name, query[name]).includes(object),
          ),
        );
      const found = store.byIndexes(query);
      expect(found).toHaveLength(intersection.length);
      expect(new Set(found)).toEqual(new Set(intersection));
      const union = new Set(zonesOf(probe).flatMap((zone) => store.byIndex("zone", zone)));
      expect(new Set(store.index("zone", probe))).toEqual(union);
      expect(store.index("zone", probe)).toHaveLength(union.size);
    }),
  );
});
