import { defineResource, type Client } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SharedInformer, SharedInformerFactory } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { factoryOf } from "../support/factory.ts";
import { noted, notingClient, resumeWatches, stallWatches } from "../support/noting.ts";

const core = { group: "", version: "v1" } as const;
const pods = defineResource<KubernetesObject>({
  ...core,
  resource: "pods",
  kind: "Pod",
  scope: "Namespaced",
});
const namespaces = defineResource<KubernetesObject, "Cluster">({
  ...core,
  resource: "namespaces",
  kind: "Namespace",
  scope: "Cluster",
});

const key = "default/a";
const finalizer = "example.com/f";

let cluster: Cluster;
let factory: SharedInformerFactory;
let stop: AbortController;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  factory = factoryOf(cluster);
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
});

/** Starts an informer, and stalls its watch. */
async function start<T extends KubernetesObject>(informer: SharedInformer<T>): Promise<void> {
  factory.start(stop.signal);
  await cluster.clock.advance(100);
  expect(informer.hasSynced).toBe(true);
  stallWatches(cluster);
}

describe("The removal of the last finalizer", () => {
  /** Creates an object that waits for its finalizers, in an informer whose watch is slow. */
  async function startDeleted(
    labelSelector?: string,
    finalizers: readonly string[] = [finalizer],
  ): Promise<SharedInformer<ConfigMap>> {
    const metadata = { namespace: "default", name: "a" };
    const maps = cluster.client.resource(noted);
    await maps.create({ metadata, data: {} });
    const finalized = { metadata: { ...metadata, finalizers } };
    await maps.apply(finalized, { fieldManager: "test" });
    await maps.delete(key);
    const informer = factory.informer(noted, { labelSelector });
    await start(informer);
    return informer;
  }

  type Remove = (client: Client) => Promise<unknown>;
  const removals: readonly (readonly [string, Remove])[] = [
    [
      "a merge patch",
      (client) => client.resource(noted).patch(key, { metadata: { finalizers: null } }),
    ],
    [
      "a JSON patch",
      (client) =>
        client
          .resource(noted)
          .patch(key, [{ op: "remove", path: "/metadata/finalizers" }], { type: "json" }),
    ],
    [
      "an update",
      async (client) => {
        const maps = client.resource(noted);
        const object = await maps.get(key);
        await maps.update({ ...object, metadata: { ...object.metadata, finalizers: [] } });
      },
    ],
    [
      "an apply",
      (client) =>
        client
          .resource(noted)
          .apply({ metadata: { namespace: "default", name: "a" } }, { fieldManager: "test" }),
    ],
  ];

  test.each(removals)("by %s is a deletion", async (_, remove) => {
    const informer = await startDeleted();
    const { client, notes } = notingClient(cluster, informer);
    await remove(client);
    expect(await cluster.state()).toEqual({});
    expect(informer.store.getByKey(key)).toBeUndefined();
    expect(notes).toMatchObject([{ isOver: false }]);
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }]);
    expect(informer.store.listKeys()).toEqual([]);
  });

  test("is none while another finalizer is left", async () => {
    const informer = await startDeleted(undefined, ["example.com/g", finalizer]);
    const { client, notes } = notingClient(cluster, informer);
    await client.resource(noted).patch(key, { metadata: { finalizers: [finalizer] } });
    expect(informer.store.getByKey(key)?.metadata.finalizers).toEqual([finalizer]);
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }]);
    expect(informer.store.listKeys()).toEqual([key]);
  });

  test("is not waited for by an informer whose selector leaves the object out", async () => {
    const informer = await startDeleted("app=web");
    await cluster.configMaps.patch(key, { data: { x: "1" } });
    const { client, notes } = notingClient(cluster, informer);
    await client.resource(noted).patch(key, { metadata: { finalizers: null } });
    expect(notes).toEqual([undefined]);
  });
});

test("a pod with time to stop is not gone, although it has no finalizer", async () => {
  cluster = new Cluster(1, { podDeletion: "kubelet" });
  factory = factoryOf(cluster);
  const containers = [{ name: "c", image: "i" }];
  const metadata = { namespace: "default", name: "a" };
  await cluster.client.resource(pods).create({
    metadata,
    spec: { nodeName: "n", terminationGracePeriodSeconds: 30, containers },
  });
  const informer = factory.informer(pods);
  await start(informer);
  const { client, notes } = notingClient(cluster, informer);
  await client.resource(pods).delete(key);
  await client.resource(pods).patch(key, { metadata: { labels: { a: "1" } } });
  const shown = informer.store.getByKey(key);
  expect(shown?.metadata).toMatchObject({ deletionGracePeriodSeconds: 30, labels: { a: "1" } });
  await resumeWatches(cluster);
  expect(notes).toMatchObject([{ isOver: true }, { isOver: true }]);
});

test("a deleted namespace is not gone before its last finalizer is removed from its spec", async () => {
  const all = cluster.client.resource(namespaces);
  const finalizers = ["kubernetes", finalizer];
  await all.create({ metadata: { name: "shop" }, spec: { finalizers } });
  const informer = factory.informer(namespaces);
  await start(informer);
  const { client, notes } = notingClient(cluster, informer);
  await client.resource(namespaces).delete("shop");
  await client.resource(namespaces).patch("shop", { metadata: { labels: { a: "1" } } });
  expect(informer.store.getByKey("shop")?.metadata).toMatchObject({ labels: { a: "1" } });
  await resumeWatches(cluster);
  expect(notes).toMatchObject([{ isOver: true }, { isOver: true }]);
  stallWatches(cluster);
  const namespace = await all.get("shop");
  const finalize = client.resource(namespaces).subresource("finalize" as never) as unknown as {
    update(name: string, object: object): Promise<unknown>;
  };
  await finalize.update("shop", { ...namespace, spec: { finalizers: [] } });
  expect(informer.store.getByKey("shop")).toBeUndefined();
});

describe("A write that takes an object out of the selector of the cache", () => {
  const selector = { labelSelector: "app=web" };

  test("is waited for if the cache holds the object", async () => {
    await cluster.create(key, { labels: { app: "web" } });
    const informer = factory.informer(noted, selector);
    await start(informer);
    const { client, notes } = notingClient(cluster, informer);
    await client.resource(noted).patch(key, { metadata: { labels: { app: "db" } } });
    expect(informer.store.has(key)).toBe(false);
    expect(notes).toMatchObject([{ isOver: false }]);
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }]);
    expect(informer.lister.list()).toEqual([]);
  });

  test("is waited for if the cache will hold the object after an earlier write", async () => {
    const informer = factory.informer(noted, selector);
    await start(informer);
    const { client, notes } = notingClient(cluster, informer);
    const maps = client.resource(noted);
    await maps.create({ metadata: { namespace: "default", name: "a", labels: { app: "web" } } });
    await maps.patch(key, { metadata: { labels: { app: "db" } } });
    expect(informer.store.has(key)).toBe(false);
    expect(notes).toMatchObject([{ isOver: false }, { isOver: false }]);
    await resumeWatches(cluster);
    expect(notes).toMatchObject([{ isOver: true }, { isOver: true }]);
  });

  test("is not waited for if the cache never holds the object, and neither is its deletion", async () => {
    await cluster.create(key);
    const informer = factory.informer(noted, selector);
    await start(informer);
    const { client, notes } = notingClient(cluster, informer);
    const maps = client.resource(noted);
    await maps.patch(key, { metadata: { labels: { app: "db" } } });
    await maps.delete(key);
    expect(notes).toEqual([undefined, undefined]);
  });
});
