import {
  FieldSelector,
  Indexer,
  LabelSelector,
  Lister,
  namespaceIndex,
  NotFoundError,
} from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { listAll, listAllByNamespace } from "../../src/listers/lister.ts";
import { keysOf, pod, type Pod } from "../pod.ts";

const content = [
  pod("a/one", { labels: { app: "web" }, nodeName: "n1" }),
  pod("a/two", { labels: { app: "db" }, nodeName: "n2" }),
  pod("b/one", { labels: { app: "web" }, nodeName: "n2" }),
  pod("cluster", {}),
];

const indexed = (): Indexer<Pod, { namespace: string }> => {
  const store = new Indexer<Pod, { namespace: string }>({ indexers: namespaceIndex });
  store.replace(content, "1");
  return store;
};

const unindexed = (): Indexer<Pod> => {
  const store = new Indexer<Pod>();
  store.replace(content, "1");
  return store;
};

const untouchable: ConstructorParameters<typeof Lister<Pod>>[0] = {
  list: () => expect.unreachable(),
  getByKey: () => expect.unreachable(),
  listNamespace: () => expect.unreachable(),
};

describe("listAll", () => {
  test("a selector that matches nothing does not read the store (LST-1)", () => {
    const labelSelector = LabelSelector.nothing;
    expect(listAll(untouchable, { labelSelector })).toEqual([]);
    expect(listAllByNamespace(untouchable, "a", { labelSelector })).toEqual([]);
    expect(listAll(untouchable, { fieldSelector: FieldSelector.nothing })).toEqual([]);
  });

  test("an empty selector does not read labels (LST-2)", () => {
    const store = new Indexer<unknown>({ keyFunc: String });
    store.add("no object");
    expect(listAll(store)).toEqual(["no object"]);
    expect(listAll(store, { labelSelector: "", fieldSelector: "" })).toEqual(["no object"]);
  });

  test("matches labels, and throws for an object without metadata (LST-3)", () => {
    expect(keysOf(listAll(indexed(), { labelSelector: "app=web" }))).toEqual(["a/one", "b/one"]);
    expect(keysOf(listAll(indexed(), { labelSelector: "!app" }))).toEqual(["cluster"]);
    const store = new Indexer<unknown>({ keyFunc: String });
    store.add("no object");
    expect(() => listAll(store, { labelSelector: "!app" })).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
  });

  test("matches fields by path, together with labels", () => {
    const fieldSelector = "spec.nodeName=n2";
    expect(keysOf(listAll(indexed(), { fieldSelector }))).toEqual(["a/two", "b/one"]);
    expect(keysOf(listAll(indexed(), { fieldSelector, labelSelector: "app=web" }))).toEqual([
      "b/one",
    ]);
  });
});

describe("listAllByNamespace", () => {
  test("returns the same with and without the index (LST-4)", () => {
    for (const store of [indexed(), unindexed()]) {
      expect(keysOf(listAllByNamespace(store, "a"))).toEqual(["a/one", "a/two"]);
      expect(keysOf(listAllByNamespace(store, "a", { labelSelector: "app=db" }))).toEqual([
        "a/two",
      ]);
      expect(keysOf(listAllByNamespace(store, ""))).toHaveLength(4);
      expect(keysOf(listAllByNamespace(store, "none"))).toEqual([]);
    }
  });

  test("without the index, even an empty selector needs metadata (LST-4)", () => {
    const store = new Indexer<unknown>({ keyFunc: String });
    store.add("no object");
    expect(() => listAllByNamespace(store, "a")).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
  });
});

describe("Lister", () => {
  const deployments = new Lister(indexed(), { group: "apps", resource: "deployments" });

  test("lists everywhere and in one namespace", () => {
    expect(keysOf(deployments.list({ labelSelector: "app" }))).toHaveLength(3);
    expect(keysOf(deployments.namespace("b").list())).toEqual(["b/one"]);
    expect(keysOf(deployments.namespace("").list())).toHaveLength(4);
  });

  test("gets cluster-scoped objects by name, others by namespace and name (LST-5)", () => {
    expect(deployments.get("cluster")).toBe(content[3]);
    expect(deployments.get("a/one")).toBe(content[0]);
    expect(deployments.namespace("b").get("one")).toBe(content[2]);
    expect(deployments.find("one")).toBeUndefined();
    expect(deployments.namespace("").find("cluster")).toBeUndefined();
  });

  test("an object that is missing throws the API server's error (LST-5)", () => {
    expect(() => deployments.namespace("a").get("gone")).toThrow(
      new NotFoundError({ group: "apps", resource: "deployments" }, "gone"),
    );
    expect(() => deployments.get("gone")).toThrow('deployments.apps "gone" not found');
    const pods = new Lister(unindexed(), { resource: "pods" });
    expect(() => pods.get("gone")).toThrow(/^pods "gone" not found$/);
    expect(() => pods.get("gone")).toThrow(
      expect.objectContaining({ code: "LW_NOT_FOUND", group: "", objectName: "gone" }),
    );
  });

  test("reads the current content of the store", () => {
    const store = unindexed();
    const pods = new Lister(store, { resource: "pods" });
    const inA = pods.namespace("a");
    store.delete(pod("a/one"));
    expect(inA.find("one")).toBeUndefined();
    expect(keysOf(inA.list())).toEqual(["a/two"]);
  });
});
