import { DeletedFinalStateUnknown, KeyError, metaNamespaceKey } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import {
  clientGoStoreBehaviour,
  Indexer,
  IndexFunctionError,
  namespaceIndex,
  TransactionError,
} from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { keysOf, type Pod, pod } from "../pod.ts";

const zones = (object: Pod): string[] => object.metadata.annotations?.["zones"]?.split(",") ?? [];

const newIndexer = () =>
  new Indexer({
    indexers: { ...namespaceIndex, node: (object: Pod) => object.spec.nodeName, zone: zones },
  });

describe("content", () => {
  test("add and update are the same upsert (STO-1)", () => {
    const pods = newIndexer();
    const first = pod("a/web");
    const second = pod("a/web");
    pods.update(first);
    expect(pods.getByKey("a/web")).toBe(first);
    pods.add(second);
    expect(pods.get(first)).toBe(second);
    expect(pods.list()).toEqual([second]);
    expect(pods.size).toBe(1);
  });

  test("delete uses only the key and accepts an absent one (STO-1)", () => {
    const pods = newIndexer();
    pods.add(pod("a/web"));
    pods.delete(pod("a/web", { nodeName: "elsewhere" }));
    pods.delete(pod("a/web"));
    expect(pods.listKeys()).toEqual([]);
  });

  test("a tombstone deletes by the key it carries", () => {
    const pods = newIndexer();
    pods.add(pod("a/web"));
    const tombstone = new DeletedFinalStateUnknown("a/web", undefined);
    expect(pods.get(tombstone)).toBeDefined();
    pods.delete(tombstone);
    expect(pods.size).toBe(0);
  });

  test("with client-go's behaviour passes a tombstone to the key function", () => {
    const pods = new Indexer<Pod>({ keyFunc: metaNamespaceKey, behaviour: clientGoStoreBehaviour });
    pods.add(pod("a/web"));
    expect(() => pods.delete(new DeletedFinalStateUnknown("a/web", pod("a/web")))).toThrow(
      KeyError,
    );
    expect(pods.size).toBe(1);
  });

  test("an object without key fails every call and changes nothing (STO-2)", () => {
    const pods = newIndexer();
    const good = pod("a/web", { resourceVersion: "5" });
    const bad: Pod = { metadata: { name: "", resourceVersion: "9" }, spec: {} };
    pods.add(good);
    for (const call of [
      () => pods.add(bad),
      () => pods.update(bad),
      () => pods.delete(bad),
      () => pods.get(bad),
      () => pods.replace([pod("b/db"), bad], "10"),
    ]) {
      expect(call).toThrow(KeyError);
    }
    expect(pods.list()).toEqual([good]);
    expect(pods.lastStoreSyncResourceVersion).toBe("5");
  });

  test("replace swaps content and indexes, and the last object of a key wins (STO-5)", () => {
    const pods = newIndexer();
    pods.add(pod("a/old", { nodeName: "n1" }));
    const last = pod("a/web", { nodeName: "n3" });
    pods.replace([pod("a/web", { nodeName: "n2" }), last], "7");
    expect(pods.list()).toEqual([last]);
    expect(pods.listIndexFuncValues("node")).toEqual(["n3"]);
    expect(pods.lastStoreSyncResourceVersion).toBe("7");
  });

  test("accepts any key function", () => {
    const values = new Indexer({ keyFunc: (item: { id: number }) => `#${item.id}` });
    values.add({ id: 4 });
    expect(values.listKeys()).toEqual(["#4"]);
    values.delete(new DeletedFinalStateUnknown("#4", undefined));
    expect(values.size).toBe(0);
  });
});

describe("resourceVersion (STO-13 to STO-16)", () => {
  test("follows the last writer, not the largest", () => {
    const pods = newIndexer();
    expect(pods.lastStoreSyncResourceVersion).toBe("");
    const seen: string[] = [];
    const note = () => seen.push(pods.lastStoreSyncResourceVersion);
    pods.add(pod("a/web", { resourceVersion: "9" }));
    note();
    pods.update(pod("a/web", { resourceVersion: "3" }));
    note();
    pods.delete(pod("a/none", { resourceVersion: "12" }));
    note();
    pods.delete(new DeletedFinalStateUnknown("a/web", pod("a/web", { resourceVersion: "40" })));
    note();
    pods.bookmark("20");
    note();
    pods.replace([], "");
    note();
    expect(seen).toEqual(["9", "3", "12", "12", "20", ""]);
  });

  test("stays empty when it is not tracked (STO-16)", () => {
    const withoutVersions = new Preset("clientGoStoreBehaviour", { trackResourceVersion: false });
    const pods = new Indexer<Pod>({ behaviour: withoutVersions });
    pods.add(pod("a/web", { resourceVersion: "9" }));
    pods.bookmark("10");
    pods.replace([], "11");
    expect(pods.lastStoreSyncResourceVersion).toBe("");
  });
});

describe("indexes", () => {
  test("find objects with one, several and no values (IDX-1)", () => {
    const pods = newIndexer();
    pods.add(pod("a/one", { nodeName: "n1", annotations: { zones: "z1,z2,z1" } }));
    pods.add(pod("a/two", { annotations: { zones: "z2" } }));
    expect(pods.indexKeys("zone", "z2")).toEqual(["a/one", "a/two"]);
    expect(keysOf(pods.byIndex("zone", "z1"))).toEqual(["a/one"]);
    expect(keysOf(pods.byIndex("node", "n1"))).toEqual(["a/one"]);
    expect(pods.byIndex("node", "")).toEqual([]);
    expect(pods.listIndexFuncValues("zone").toSorted()).toEqual(["z1", "z2"]);
  });

  test("lose a value with its last object (IDX-3)", () => {
    const pods = newIndexer();
    pods.add(pod("a/one", { nodeName: "n1", annotations: { zones: "z1,z2" } }));
    pods.update(pod("a/one", { nodeName: "n2", annotations: { zones: "z2,z3" } }));
    expect(pods.listIndexFuncValues("node")).toEqual(["n2"]);
    expect(pods.listIndexFuncValues("zone").toSorted()).toEqual(["z2", "z3"]);
    pods.delete(pod("a/one"));
    expect(pods.listIndexFuncValues("node")).toEqual([]);
    expect(pods.listIndexFuncValues("zone")).toEqual([]);
    expect(pods.listIndexFuncValues("namespace")).toEqual([]);
  });

  test("an index function that throws fails the write, which changes nothing (IDX-4)", () => {
    const failing = new Indexer({
      indexers: {
        ...namespaceIndex,
        strict: (object: Pod) => {
          if (object.spec.nodeName === undefined) throw new Error("No node");
          return object.spec.nodeName;
        },
      },
    });
    const good = pod("a/web", { nodeName: "n1", resourceVersion: "1" });
    failing.add(good);
    const bad = pod("a/web", { resourceVersion: "2" });
    expect(() => failing.update(bad)).toThrow(IndexFunctionError);
    expect(() => failing.replace([pod("b/x", { nodeName: "n2" }), bad], "3")).toThrow("No node");
    expect(failing.getByKey("a/web")).toBe(good);
    expect(failing.byIndex("strict", "n1")).toEqual([good]);
    expect(failing.listIndexFuncValues("namespace")).toEqual(["a"]);
    expect(failing.lastStoreSyncResourceVersion).toBe("1");
    expect(() => failing.index("strict", bad)).toThrow("No node");
  });

  test("an unknown name throws in lookups, and has no values (IDX-5)", () => {
    const pods = newIndexer();
    const name: string = "nope";
    const untyped: Indexer<Pod, Record<string, string>> = new Indexer({});
    expect(() => untyped.byIndex(name, "x")).toThrow(
      expect.objectContaining({ code: "LW_NO_SUCH_INDEX" }),
    );
    expect(() => untyped.indexKeys(name, "x")).toThrow(
      expect.objectContaining({ code: "LW_NO_SUCH_INDEX" }),
    );
    expect(() => untyped.index(name, pod("a/b"))).toThrow(
      expect.objectContaining({ code: "LW_NO_SUCH_INDEX" }),
    );
    expect(() => untyped.byIndexes({ [name]: "x" })).toThrow(
      expect.objectContaining({ code: "LW_NO_SUCH_INDEX" }),
    );
    expect(untyped.listIndexFuncValues(name)).toEqual([]);
    expect(pods.size).toBe(0);
  });

  test("index returns the union over the object's values, each object once (IDX-6)", () => {
    const pods = newIndexer();
    pods.add(pod("a/one", { annotations: { zones: "z1,z2" } }));
    pods.add(pod("a/two", { annotations: { zones: "z2" } }));
    pods.add(pod("a/three", { annotations: { zones: "z3" } }));
    expect(keysOf(pods.index("zone", pod("x/y", { annotations: { zones: "z1,z2" } })))).toEqual([
      "a/one",
      "a/two",
    ]);
    expect(keysOf(pods.index("zone", pod("x/y", { annotations: { zones: "z3" } })))).toEqual([
      "a/three",
    ]);
    expect(pods.index("zone", pod("x/y"))).toEqual([]);
  });

  test("can be added to a non-empty store, all or none (IDX-7, IDX-8)", () => {
    const pods = newIndexer();
    pods.add(pod("a/one", { nodeName: "n1" }));
    pods.add(pod("b/two", { nodeName: "n2" }));
    const more = pods.addIndexers({ initial: (object) => object.metadata.name[0] });
    expect(keysOf(more.byIndex("initial", "t"))).toEqual(["b/two"]);
    pods.delete(pod("b/two"));
    expect(more.listIndexFuncValues("initial")).toEqual(["o"]);
    expect(() => more.addIndexers({ other: () => "x", node: () => "y" })).toThrow(
      expect.objectContaining({ code: "LW_INDEX_CONFLICT" }),
    );
    expect(Object.keys(more.getIndexers()).toSorted()).toEqual([
      "initial",
      "namespace",
      "node",
      "zone",
    ]);
    expect(() =>
      pods.addIndexers({
        broken: () => {
          throw new Error("Broken");
        },
      }),
    ).toThrow(IndexFunctionError);
    expect(Object.keys(more.getIndexers())).toHaveLength(4);
  });

  test("call their function only for written objects: mutating a cached object corrupts nothing (IDX-9)", () => {
    const asked: (string | undefined)[] = [];
    const pods = new Indexer({
      indexers: {
        node: ({ spec }: Pod) => {
          asked.push(spec.nodeName);
          return spec.nodeName;
        },
      },
    });
    const [first, second] = [pod("a/one", { nodeName: "n1" }), pod("a/two", { nodeName: "n1" })];
    pods.add(first);
    pods.add(second);
    first.spec.nodeName = "changed";
    second.spec.nodeName = "changed";
    pods.update(pod("a/one", { nodeName: "n2" }));
    pods.delete(pod("a/two"));
    expect(asked).toEqual(["n1", "n1", "n2"]);
    expect(pods.listIndexFuncValues("node")).toEqual(["n2"]);
    expect(pods.indexKeys("node", "n2")).toEqual(["a/one"]);
  });

  test("byIndexes intersects, and lists everything for an empty query", () => {
    const pods = newIndexer();
    pods.add(pod("a/one", { nodeName: "n1" }));
    pods.add(pod("a/two", { nodeName: "n2" }));
    pods.add(pod("b/three", { nodeName: "n1" }));
    expect(keysOf(pods.byIndexes({ namespace: "a", node: "n1" }))).toEqual(["a/one"]);
    expect(keysOf(pods.byIndexes({ namespace: "b", node: "n2" }))).toEqual([]);
    expect(keysOf(pods.byIndexes({ namespace: "none", node: "n1" }))).toEqual([]);
    expect(keysOf(pods.byIndexes({}))).toHaveLength(3);
  });

  test("byIndexes rejects a named index without a value, which would list everything", () => {
    const pods = newIndexer();
    pods.add(pod("a/one", { nodeName: "n1" }));
    // @ts-expect-error -- the type forbids it too
    expect(() => pods.byIndexes({ namespace: "a", node: undefined })).toThrow(
      new TypeError(
        `Cannot look up by indexes: expected a value of the index "node", got undefined`,
      ),
    );
  });
});

describe("transactions", () => {
  test("apply in order and omit objects without a key (STO-9)", () => {
    const pods = newIndexer();
    const bad: Pod = { metadata: { name: "" }, spec: {} };
    let failure: unknown;
    try {
      pods.transaction([
        { type: "Add", object: pod("a/one", { resourceVersion: "1" }) },
        { type: "Add", object: bad },
        { type: "Delete", object: pod("a/one", { resourceVersion: "2" }) },
        { type: "Update", object: pod("a/two", { resourceVersion: "3" }) },
        { type: "Delete", object: bad },
      ]);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(TransactionError);
    expect(failure).toMatchObject({
      code: "LW_TRANSACTION",
      successfulIndices: [0, 2, 3],
      totalTransactions: 5,
      errors: [{ code: "LW_KEY" }, { code: "LW_KEY" }],
    });
    expect(pods.listKeys()).toEqual(["a/two"]);
    expect(pods.lastStoreSyncResourceVersion).toBe("3");
  });

  test("report key errors and index errors in the order of the items", () => {
    const failing = new Indexer({
      indexers: {
        strict: (object: Pod) => {
          if (object.spec.nodeName === undefined) throw new Error("No node");
          return object.spec.nodeName;
        },
      },
    });
    const run = () =>
      failing.transaction([
        { type: "Add", object: pod("a/broken") },
        { type: "Add", object: pod("a/good", { nodeName: "n1" }) },
        { type: "Add", object: { metadata: { name: "" }, spec: {} } },
      ]);
    expect(run).toThrow(
      expect.objectContaining({
        successfulIndices: [1],
        errors: [
          expect.objectContaining({ code: "LW_INDEX_FUNCTION" }),
          expect.objectContaining({ code: "LW_KEY" }),
        ],
      }),
    );
  });

  test("of many items take linear time, also if one fails", () => {
    const failing = new Indexer<{ metadata: { name: string } }, { strict: string }>({
      indexers: {
        strict: ({ metadata: { name } }) => {
          if (name === "bad") throw new Error("Bad");
          return "good";
        },
      },
    });
    // A linear search for each item would exceed the time limit of the test.
    const count = 200_000;
    const items = Array.from({ length: count }, (_, index) => ({
      type: "Add" as const,
      object: { metadata: { name: index === count - 1 ? "bad" : `n${index}` } },
    }));
    expect(() => failing.transaction(items)).toThrow(
      "Cannot apply 1 of 200000 items of a transaction",
    );
    expect(failing.size).toBe(count - 1);
  });

  test("without items have no effect (STO-11)", () => {
    const pods = newIndexer();
    pods.bookmark("5");
    pods.transaction([]);
    expect(pods.lastStoreSyncResourceVersion).toBe("5");
  });
});

test("freeze makes the mutation of a cached object throw", () => {
  const pods = new Indexer<Pod>({ freeze: true });
  const object = pod("a/web", { annotations: { zones: "z1" } });
  pods.add(object);
  expect(pods.getByKey("a/web")).toBe(object);
  expect(() => {
    object.spec.nodeName = "n9";
  }).toThrow(TypeError);
  expect(() => {
    Object.assign(object.metadata.annotations ?? {}, { zones: "z2" });
  }).toThrow(TypeError);
});

test("freeze happens before anything is stored: an object that cannot be frozen changes nothing", () => {
  const objects = new Indexer<{ metadata: { name: string }; data: unknown }>({ freeze: true });
  const before = { metadata: { name: "a" }, data: 1 };
  objects.add(before);
  const unfreezable = new Proxy({}, { preventExtensions: () => false });
  const bad = (name: string) => ({ metadata: { name }, data: unfreezable });
  expect(() => objects.add(bad("a"))).toThrow(TypeError);
  expect(() => objects.add(bad("b"))).toThrow(TypeError);
  expect(() => objects.replace([{ metadata: { name: "c" }, data: 1 }, bad("d")], "2")).toThrow(
    TypeError,
  );
  expect(objects.list()).toEqual([before]);
});

test("resync does nothing (STO-6)", () => {
  const pods = newIndexer();
  pods.add(pod("a/web", { resourceVersion: "4" }));
  pods.resync();
  expect(pods.listKeys()).toEqual(["a/web"]);
  expect(pods.lastStoreSyncResourceVersion).toBe("4");
});

test("a reader looks up by object, key and index, and has no write", () => {
  const pods = new Indexer({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  const { reader } = pods;
  const web = pod("a/web", { nodeName: "n1" });
  pods.add(web);
  expect([reader.get(web), reader.getByKey("a/web")]).toEqual([web, web]);
  expect(reader.byIndexes({ node: "n1" })).toEqual([web]);
  pods.addIndexers({ name: (object) => object.metadata.name });
  expect(Object.keys(reader.getIndexers())).toEqual(["node", "name"]);
  for (const write of ["add", "delete", "replace", "transaction", "keyed"]) {
    expect(write in pods).toBe(true);
    expect(write in reader).toBe(false);
  }
});
