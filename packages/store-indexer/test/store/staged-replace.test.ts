import { IndexFunctionError, KeyedStore } from "@listwatch/store-indexer";
import { expect, test } from "vitest";
import { pod, type Pod } from "../pod.ts";

const node = ({ spec }: Pod): string | undefined => {
  if (spec.nodeName === "bad") throw new Error("no such node");
  return spec.nodeName;
};

function storeOf(...keys: readonly string[]): KeyedStore<Pod, { node: string }> {
  const store = new KeyedStore<Pod, { node: string }>({ indexers: { node } });
  for (const key of keys) store.add(key, pod("a/old", { nodeName: "n1" }));
  return store;
}

test("readers see the old content until the commit, and the complete new content afterwards", () => {
  const store = storeOf("a", "b");
  const old = store.getByKey("a");
  const staged = store.stageReplace();
  staged.put("b", pod("a/new", { nodeName: "n2" }));
  staged.put("c", pod("a/new", { nodeName: "n2" }));
  expect(store.listKeys()).toEqual(["a", "b"]);
  expect(store.indexKeys("node", "n2")).toEqual([]);
  expect([staged.has("a"), staged.has("c")]).toEqual([false, true]);
  const before = staged.commit("7");
  expect(store.listKeys()).toEqual(["b", "c"]);
  expect(store.listIndexFuncValues("node")).toEqual(["n2"]);
  expect(store.indexKeys("node", "n2")).toEqual(["b", "c"]);
  expect(store.lastStoreSyncResourceVersion).toBe("7");
  expect([...before.keys()]).toEqual(["a", "b"]);
  expect(before.get("a")).toBe(old);
  expect(before.get("c")).toBeUndefined();
});

test("writes made meanwhile are replaced too, and a repeated key keeps its last object", () => {
  const store = storeOf("a");
  const staged = store.stageReplace();
  staged.put("b", pod("a/one", { nodeName: "n1" }));
  staged.put("b", pod("a/two", { nodeName: "n2" }));
  store.add("c", pod("a/late", { nodeName: "n3" }));
  expect([...staged.commit("7").keys()]).toEqual(["a", "c"]);
  expect(store.getByKey("b")?.metadata.name).toBe("two");
  expect(store.listIndexFuncValues("node")).toEqual(["n2"]);
});

test("an index that was added meanwhile has the new content", () => {
  const store = storeOf("a");
  const staged = store.stageReplace();
  staged.put("b", pod("a/new", { nodeName: "n1" }));
  const indexed = store.addIndexers({ name: ({ metadata }: Pod) => metadata.name });
  staged.commit("7");
  expect(indexed.indexKeys("name", "new")).toEqual(["b"]);
  expect(indexed.indexKeys("name", "old")).toEqual([]);
});

test("an index function that throws changes nothing", () => {
  const store = storeOf("a");
  const staged = store.stageReplace();
  expect(() => staged.put("b", pod("a/new", { nodeName: "bad" }))).toThrow(IndexFunctionError);
  staged.put("c", pod("a/new", { nodeName: "n2" }));
  store.addIndexers({
    late: ({ metadata }: Pod) => {
      if (metadata.name === "new") throw new Error("not this one");
      return "x";
    },
  });
  expect(() => staged.commit("7")).toThrow(IndexFunctionError);
  expect(store.listKeys()).toEqual(["a"]);
  expect(store.indexKeys("node", "n1")).toEqual(["a"]);
});

test("new content is frozen if the store freezes", () => {
  const store = new KeyedStore<Pod>({ freeze: true });
  const staged = store.stageReplace();
  const object = pod("a/new");
  staged.put("a", object);
  expect(Object.isFrozen(object.metadata)).toBe(true);
  staged.commit("7");
  expect(store.getByKey("a")).toBe(object);
});
