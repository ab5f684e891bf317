import { KeyError } from "@listwatch/core-fifo";
import { UndeltaStore } from "@listwatch/store-indexer";
import { expect, test } from "vitest";
import { keysOf, pod, type Pod } from "../pod.ts";

const create = (): { store: UndeltaStore<Pod>; pushes: string[][] } => {
  const pushes: string[][] = [];
  const store = new UndeltaStore<Pod>({ push: (objects) => pushes.push(keysOf(objects)) });
  return { store, pushes };
};

test("every write pushes the full list once", () => {
  const { store, pushes } = create();
  store.add(pod("a/one"));
  store.update(pod("a/two"));
  store.delete(pod("a/one"));
  store.delete(pod("a/none"));
  store.replace([pod("b/three"), pod("b/four")], "9");
  expect(pushes).toEqual([
    ["a/one"],
    ["a/one", "a/two"],
    ["a/two"],
    ["a/two"],
    ["b/four", "b/three"],
  ]);
});

test("reads, bookmarks, resyncs and failed writes push nothing", () => {
  const { store, pushes } = create();
  const web = pod("a/web");
  store.add(web);
  store.bookmark("7");
  store.resync();
  expect(store.get(web)).toBe(web);
  expect(store.getByKey("a/web")).toBe(web);
  expect(store.list()).toEqual([web]);
  expect(store.listKeys()).toEqual(["a/web"]);
  expect(store.lastStoreSyncResourceVersion).toBe("7");
  const bad: Pod = { metadata: { name: "" }, spec: {} };
  expect(() => store.add(bad)).toThrow(KeyError);
  expect(() => store.replace([bad], "1")).toThrow(KeyError);
  expect(pushes).toHaveLength(1);
});

test("a push that throws fails the call, and the write is done", () => {
  const store = new UndeltaStore<Pod>({
    push: () => {
      throw new Error("Not now");
    },
  });
  expect(() => store.add(pod("a/web"))).toThrow("Not now");
  expect(store.listKeys()).toEqual(["a/web"]);
});
