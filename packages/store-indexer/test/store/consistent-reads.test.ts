import { Indexer, namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { keysOf, pod, type Pod } from "../pod.ts";

type Indexes = Record<"namespace" | "node", string>;
type Write = (store: Indexer<Pod, Indexes>, pods: readonly Pod[]) => void;

/** Each write operation, with a new first pod; the store has `shop/web` on node `n1` before. */
const writes: Readonly<Record<string, Write>> = {
  add: (store, [first]) => first && store.add(first),
  update: (store, [, second]) => second && store.update(second),
  replace: (store, pods) => store.replace(pods, "20"),
  "a staged replace": (store, pods) => {
    const staged = store.keyed.stageReplace();
    for (const object of pods) {
      const { name, namespace } = object.metadata;
      staged.put(`${namespace}/${name}`, object);
    }
    staged.commit("20");
  },
};

function contentOf(store: Indexer<Pod, Indexes>): object {
  const byIndex = (name: keyof Indexes): string[] =>
    store
      .listIndexFuncValues(name)
      .flatMap((value) => keysOf(store.byIndex(name, value)))
      .toSorted();
  return {
    listed: keysOf(store.list()),
    keys: store.listKeys().toSorted(),
    size: store.size,
    byNamespace: byIndex("namespace"),
    byNode: byIndex("node"),
    nodes: store.listIndexFuncValues("node").toSorted(),
    version: store.lastStoreSyncResourceVersion,
  };
}

function storeOf(read: (store: Indexer<Pod, Indexes>) => void): Indexer<Pod, Indexes> {
  const store: Indexer<Pod, Indexes> = new Indexer<Pod, Indexes>({
    indexers: {
      ...namespaceIndex,
      node: ({ spec }) => {
        read(store);
        if (spec.nodeName === "bad") throw new Error("no such node");
        return spec.nodeName;
      },
    },
    onIndexError: () => read(store),
  });
  store.add(pod("shop/web", { nodeName: "n1", resourceVersion: "10" }));
  return store;
}

describe.each(Object.entries(writes))("a read during %s", (_, write) => {
  test("sees the store before the write while an index function runs (STO-8)", () => {
    const seen: object[] = [];
    const store = storeOf((reading) => seen.push(contentOf(reading)));
    const before = contentOf(store);
    seen.length = 0;
    write(store, [
      pod("shop/db", { nodeName: "n2", resourceVersion: "12" }),
      pod("shop/web", { nodeName: "n3", resourceVersion: "11" }),
    ]);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen).toEqual(seen.map(() => before));
    expect(contentOf(store)).not.toEqual(before);
  });

  test("sees the store after the write when onIndexError is called (STO-8)", () => {
    let seen: object | undefined;
    const store = storeOf((reading) => (seen = contentOf(reading)));
    write(store, [
      pod("shop/db", { nodeName: "bad", resourceVersion: "12" }),
      pod("shop/web", { nodeName: "bad", resourceVersion: "11" }),
    ]);
    expect(store.unindexedCount).toBeGreaterThan(0);
    expect(seen).toEqual(contentOf(store));
  });
});

test("a read in onIndexError sees the complete transaction (STO-8)", () => {
  const seen: object[] = [];
  const store: Indexer<Pod, { node: string }> = new Indexer<Pod, { node: string }>({
    indexers: {
      node: ({ spec }) => {
        if (spec.nodeName === "bad") throw new Error("no such node");
        return spec.nodeName;
      },
    },
    onIndexError: ({ key }) =>
      seen.push({
        key,
        keys: store.listKeys(),
        nodes: store.listIndexFuncValues("node"),
        version: store.lastStoreSyncResourceVersion,
      }),
  });
  store.transaction([
    { type: "Add", object: pod("a", { nodeName: "bad", resourceVersion: "1" }) },
    { type: "Add", object: pod("b", { nodeName: "n1", resourceVersion: "2" }) },
    { type: "Add", object: pod("c", { nodeName: "bad", resourceVersion: "3" }) },
    { type: "Add", object: pod("d", { nodeName: "n2", resourceVersion: "4" }) },
  ]);
  const whole = { keys: ["a", "b", "c", "d"], nodes: ["n1", "n2"], version: "4" };
  expect(seen).toEqual([
    { key: "a", ...whole },
    { key: "c", ...whole },
  ]);
});
