import { DeletedFinalStateUnknown, KeyError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { ExpirationStore } from "@listwatch/store-indexer";
import { expect, test } from "vitest";
import { keysOf, pod, type Pod } from "../pod.ts";

const create = (ttlMs = 5000): { clock: SimulatedClock; store: ExpirationStore<Pod> } => {
  const clock = new SimulatedClock();
  return { clock, store: new ExpirationStore<Pod>({ ttlMs, clock }) };
};

test("an object is kept for exactly its TTL (EXP-3)", async () => {
  const { clock, store } = create();
  store.add(pod("a/web"));
  await clock.advance(5000);
  expect(store.getByKey("a/web")).toBeDefined();
  await clock.advance(1);
  expect(store.getByKey("a/web")).toBeUndefined();
});

test("writing renews an object, reading does not (EXP-1)", async () => {
  const { clock, store } = create();
  store.add(pod("a/read"));
  store.add(pod("a/written"));
  await clock.advance(4000);
  expect(store.get(pod("a/read"))).toBeDefined();
  store.update(pod("a/written"));
  await clock.advance(4000);
  expect(keysOf(store.list())).toEqual(["a/written"]);
});

test("replace gives all objects the same age (EXP-1)", async () => {
  const { clock, store } = create();
  store.add(pod("a/old"));
  await clock.advance(4000);
  store.replace([pod("a/old"), pod("a/new")], "9");
  await clock.advance(5000);
  expect(keysOf(store.list())).toEqual(["a/new", "a/old"]);
  await clock.advance(1);
  expect(store.list()).toEqual([]);
});

test("listKeys includes expired objects until a read finds them (EXP-2)", async () => {
  const { clock, store } = create();
  store.add(pod("a/one"));
  store.add(pod("a/two"));
  await clock.advance(5001);
  expect(store.listKeys()).toEqual(["a/one", "a/two"]);
  expect(store.get(pod("a/one"))).toBeUndefined();
  expect(store.listKeys()).toEqual(["a/two"]);
  expect(store.list()).toEqual([]);
  expect(store.listKeys()).toEqual([]);
});

test.each([0, -1])("a TTL of %i never expires (EXP-3)", async (ttlMs) => {
  const { clock, store } = create(ttlMs);
  store.add(pod("a/web"));
  await clock.advance(1_000_000_000);
  expect(store.list()).toHaveLength(1);
});

test("a custom policy decides", () => {
  const store = new ExpirationStore<Pod>({
    isExpired: ({ object }) => object.metadata.name !== "keep",
  });
  store.replace([pod("a/keep"), pod("a/drop")], "1");
  expect(keysOf(store.list())).toEqual(["a/keep"]);
});

test("only delete, replace and bookmark move the resourceVersion (EXP-4)", () => {
  const { store } = create();
  const seen = [
    () => store.add(pod("a/web", { resourceVersion: "5" })),
    () => store.delete(pod("a/web", { resourceVersion: "6" })),
    () => store.delete(new DeletedFinalStateUnknown("a/web", undefined)),
    () => store.replace([], "8"),
    () => store.update(pod("a/web", { resourceVersion: "9" })),
    () => store.bookmark("10"),
    () => store.resync(),
  ].map((write) => {
    write();
    return store.lastStoreSyncResourceVersion;
  });
  expect(seen).toEqual(["", "6", "6", "8", "8", "10", "10"]);
});

test("an object without key changes nothing", () => {
  const { store } = create();
  const bad: Pod = { metadata: { name: "" }, spec: {} };
  store.add(pod("a/web"));
  expect(() => store.add(bad)).toThrow(KeyError);
  expect(() => store.replace([pod("b/db"), bad], "9")).toThrow(KeyError);
  expect(store.listKeys()).toEqual(["a/web"]);
  expect(store.lastStoreSyncResourceVersion).toBe("");
});
