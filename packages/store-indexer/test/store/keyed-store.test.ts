import { DeletedFinalStateUnknown, systemClock } from "@listwatch/core-fifo";
import { KeyedStore, namespaceIndex, TransactionError } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { pod, type Pod } from "../pod.ts";

test("keys are independent of objects", () => {
  const store = new KeyedStore({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  store.add("k1", pod("a/web", { nodeName: "n1" }));
  store.update("k2", pod("a/web", { nodeName: "n1" }));
  expect(store.indexKeys("node", "n1")).toEqual(["k1", "k2"]);
  expect(store.has("a/web")).toBe(false);
  expect(store.getByKey("k1")).toEqual(store.getByKey("k2"));
  expect(store.size).toBe(2);
});

test("writes return the previous object", () => {
  const store = new KeyedStore<Pod>();
  const [first, second] = [pod("a/web"), pod("a/web")];
  expect(store.add("k", first)).toBeUndefined();
  expect(store.update("k", second)).toBe(first);
  expect(store.delete("k")).toBe(second);
  expect(store.deleteWithObject("k", second)).toBeUndefined();
});

test("only deleteWithObject moves the resourceVersion, tombstones do not (STO-15)", () => {
  const store = new KeyedStore<Pod>();
  store.add("k", pod("a/web", { resourceVersion: "5" }));
  store.delete("k");
  expect(store.lastStoreSyncResourceVersion).toBe("5");
  store.deleteWithObject("k", pod("a/web", { resourceVersion: "7" }));
  expect(store.lastStoreSyncResourceVersion).toBe("7");
  store.deleteWithObject("k", new DeletedFinalStateUnknown("k", undefined));
  expect(store.lastStoreSyncResourceVersion).toBe("7");
});

test("replace takes keys and objects, and the resourceVersion of the list", () => {
  const store = new KeyedStore({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  store.add("old", pod("a/old", { nodeName: "n1" }));
  store.replace(
    new Map([
      ["x", pod("a/x", { nodeName: "n2" })],
      ["y", pod("a/y", { nodeName: "n2", resourceVersion: "6" })],
    ]),
    "9",
  );
  expect(store.listKeys()).toEqual(["x", "y"]);
  expect(store.listIndexFuncValues("node")).toEqual(["n2"]);
  expect(store.lastStoreSyncResourceVersion).toBe("9");
});

describe("transaction", () => {
  test("applies in order and follows its last item (STO-13)", () => {
    const store = new KeyedStore({ indexers: namespaceIndex });
    store.transaction([
      { type: "Add", key: "k", object: pod("a/web", { resourceVersion: "9" }) },
      { type: "Delete", key: "k", object: pod("a/web", { resourceVersion: "8" }) },
      { type: "Update", key: "k", object: pod("b/web", { resourceVersion: "7" }) },
      { type: "Delete", key: "none", object: pod("a/none", { resourceVersion: "4" }) },
    ]);
    expect(store.indexKeys("namespace", "b")).toEqual(["k"]);
    expect(store.listIndexFuncValues("namespace")).toEqual(["b"]);
    expect(store.lastStoreSyncResourceVersion).toBe("4");
  });

  test("omits objects whose index function throws, and reports them (STO-9)", () => {
    const store = new KeyedStore({ indexers: namespaceIndex });
    const run = () =>
      store.transaction([
        { type: "Add", key: "a", object: pod("a/web", { resourceVersion: "1" }) },
        { type: "Add", key: "b", object: "no object" },
      ]);
    expect(run).toThrow(TransactionError);
    expect(run).toThrow(/1 of 2 items.*"namespace"/);
    expect(store.listKeys()).toEqual(["a"]);
    expect(store.lastStoreSyncResourceVersion).toBe("1");
  });
});

test("a transaction that takes longer than 0.5 s an item or 5 s is reported (STO-12)", () => {
  const reports: { readonly items: number; readonly durationMs: number }[] = [];
  const run = (items: number, msPerItem: number): void => {
    let nowMs = 0;
    const store = new KeyedStore<Pod, { slow: string }>({
      clock: { ...systemClock, now: () => nowMs },
      onSlowTransaction: (transaction) => reports.push(transaction),
      indexers: {
        slow: () => {
          nowMs += msPerItem;
          return "value";
        },
      },
    });
    store.transaction(
      Array.from({ length: items }, (_, index) => ({
        type: "Add",
        key: `k${index}`,
        object: pod("a/web"),
      })),
    );
  };
  run(1, 500);
  run(1, 501);
  run(20, 250);
  run(20, 251);
  run(0, 0);
  expect(reports).toEqual([
    { items: 1, durationMs: 501 },
    { items: 20, durationMs: 5020 },
  ]);
});

test("listNamespace returns undefined without an index by namespace", () => {
  const indexed = new KeyedStore({ indexers: namespaceIndex });
  indexed.add("k", pod("a/web"));
  expect(indexed.listNamespace("a")).toHaveLength(1);
  expect(indexed.listNamespace("b")).toEqual([]);
  expect(new KeyedStore<Pod>().listNamespace("a")).toBeUndefined();
});

test("lists are copies", () => {
  const store = new KeyedStore({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  store.add("k", pod("a/web", { nodeName: "n1" }));
  store.list().length = 0;
  store.byIndex("node", "n1").length = 0;
  store.listKeys().length = 0;
  Object.assign(store.getIndexers(), { other: () => "x" });
  expect(store.list()).toHaveLength(1);
  expect(store.byIndex("node", "n1")).toHaveLength(1);
  expect(Object.keys(store.getIndexers())).toEqual(["node"]);
});

test("a reader sees later writes, and has no write methods", () => {
  const store = new KeyedStore({ indexers: { node: (object: Pod) => object.spec.nodeName } });
  const { reader } = store;
  store.add("a", pod("a/web", { nodeName: "n1", resourceVersion: "7" }));
  expect(reader.getByKey("a")).toBe(store.getByKey("a"));
  expect(reader.byIndex("node", "n1")).toEqual([store.getByKey("a")]);
  expect(reader).toMatchObject({ size: 1, lastStoreSyncResourceVersion: "7" });
  const staged = store.stageReplace();
  staged.put("b", pod("a/other"));
  staged.commit("8");
  expect(reader.listKeys()).toEqual(["b"]);
  expect(reader.lastStoreSyncResourceVersion).toBe("8");
  for (const write of ["add", "update", "delete", "replace", "bookmark", "addIndexers"]) {
    expect(write in store).toBe(true);
    expect(write in reader).toBe(false);
  }
});
