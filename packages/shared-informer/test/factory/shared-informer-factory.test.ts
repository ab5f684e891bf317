import { createConnection, StatusError, type ResourceReference } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import {
  InformerStoppedError,
  NotSyncedError,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { countedSignal } from "../support/counted-signal.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const typedConfigMaps: ResourceReference<ConfigMap> = configMaps;
const pods = { group: "", version: "v1", resource: "pods" };

function factoryOf(
  cluster: Cluster,
  options: Partial<SharedInformerFactoryOptions> = {},
): SharedInformerFactory {
  const { api, clock } = cluster;
  return new SharedInformerFactory({
    connection: createConnection({ server: "http://cluster", fetch: api.fetch }),
    clock,
    ...options,
    informers: {
      ...options.informers,
      retry: { random: cluster.random, ...options.informers?.retry },
    },
  });
}

describe("SharedInformerFactory", () => {
  test("gives one informer per resource, namespace, selectors and form (FAC-1)", () => {
    const factory = factoryOf(new Cluster());
    const all = factory.informer(configMaps);
    expect(factory.informer({ ...configMaps })).toBe(all);
    const others = [
      factory.informer(pods),
      factory.informer(configMaps, { namespace: "shop" }),
      factory.informer(configMaps, { labelSelector: "app=web" }),
      factory.informer(configMaps, { fieldSelector: "metadata.name=a" }),
      factory.informer(configMaps, { metadataOnly: true }),
      factory.informer({ group: "apps", version: "v1", resource: "deployments" }),
    ];
    expect(new Set([all, ...others]).size).toBe(7);
    expect(others.map(({ name }) => name)).toEqual([
      "v1/pods",
      "v1/configmaps?namespace=shop",
      "v1/configmaps?labelSelector=app=web",
      "v1/configmaps?fieldSelector=metadata.name=a",
      "v1/configmaps?metadataOnly",
      "apps/v1/deployments",
    ]);
  });

  test("runs what exists at the start, and later ones at the next start (FAC-2, FAC-3)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const factory = factoryOf(cluster);
    const first = factory.informer<ConfigMap>(configMaps);
    factory.start();
    await factory.waitForCacheSync();
    expect(first.store.byIndex("namespace", "shop")).toHaveLength(1);

    const second = factory.informer<ConfigMap>(configMaps, { namespace: "shop" });
    expect(second.phase).toBe("created");
    const stop = new AbortController();
    factory.start(stop.signal);
    await factory.waitForCacheSync();
    expect(second.lister.namespace("shop").get("a").metadata.name).toBe("a");
    stop.abort();
    await cluster.clock.settle();
    expect([first.phase, second.phase]).toEqual(["running", "stopped"]);
    await factory[Symbol.asyncDispose]();
    expect(first.phase).toBe("stopped");
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("starts and creates no informer after the shutdown, which waits for the end (FAC-5)", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster);
    const running = factory.informer(configMaps);
    const idle = factory.informer(pods);
    const stop = new AbortController();
    factory.start(stop.signal);
    let isDown = false;
    const down = factory.shutdown().then(() => (isDown = true));
    await cluster.clock.settle();
    expect(isDown).toBe(false);
    stop.abort();
    await down;
    await factory.shutdown();
    factory.start();
    expect([running.phase, idle.phase]).toEqual(["stopped", "stopped"]);
    expect(factory.informer(configMaps)).toBe(running);
    expect(() => factory.informer(pods, { namespace: "shop" })).toThrow(InformerStoppedError);
  });

  test("names the informers that did not sync (FAC-4)", async () => {
    const cluster = new Cluster();
    cluster.api.control.faults.add({
      match: { resource: "pods" },
      action: { type: "status", status: { code: 403 } },
      times: Infinity,
    });
    await using factory = factoryOf(cluster);
    factory.informer(configMaps);
    factory.informer(pods);
    factory.start();
    const stop = new AbortController();
    const waiting = factory.waitForCacheSync({ signal: stop.signal });
    await cluster.clock.settle();
    stop.abort();
    const error: unknown = await waiting.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotSyncedError);
    expect(error).toMatchObject({ names: ["v1/pods"] });
  });

  test("rejects the shutdown with the failure that ended an informer", async () => {
    const cluster = new Cluster();
    cluster.api.control.faults.add({
      action: { type: "status", status: { code: 403 } },
      times: Infinity,
    });
    const factory = factoryOf(cluster, { informers: { retry: { whenForbidden: "stop" } } });
    factory.informer(configMaps);
    factory.start();
    await cluster.clock.settle();
    await expect(factory.shutdown()).rejects.toThrow(StatusError);
  });

  test("waits for all at its end, also when one has failed, and throws what failed", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    for (const resource of ["pods", "secrets"]) {
      cluster.api.control.faults.add({
        match: { resource },
        action: { type: "status", status: { code: 403 } },
        times: Infinity,
      });
    }
    const factory = factoryOf(cluster, { informers: { retry: { whenForbidden: "stop" } } });
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = factory.informer(configMaps);
    slow.addEventHandler({ onAdd: () => promise });
    factory.informer(pods);
    factory.informer({ group: "", version: "v1", resource: "secrets" });
    factory.start();
    await slow.synced;
    await cluster.clock.settle();
    let isDown = false;
    const down = factory[Symbol.asyncDispose]().finally(() => (isDown = true));
    await cluster.clock.settle();
    expect([isDown, slow.phase]).toEqual([false, "stopping"]);
    resolve();
    const failure: unknown = await down.catch((error: unknown) => error);
    expect(slow.phase).toBe("stopped");
    expect(failure).toBeInstanceOf(AggregateError);
    expect(failure).toMatchObject({
      message: "Cannot run 2 of 3 informers to the end",
      errors: [expect.any(StatusError), expect.any(StatusError)],
    });
  });

  test("adds the indexes that an informer has not when it is requested again", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using factory = factoryOf(cluster);
    const first = factory.informer<ConfigMap>(configMaps);
    factory.start();
    await factory.waitForCacheSync();
    const named = factory.informer(typedConfigMaps, {
      indexers: { name: ({ metadata }) => metadata.name },
    });
    expect(named).toBe(first);
    expect(named.store.byIndex("name", "a")).toHaveLength(1);
    factory.informer(typedConfigMaps, {
      indexers: { name: () => "other" },
    });
    expect(named.store.byIndex("name", "a")).toHaveLength(1);
  });

  test("leaves no listener on the signal of a start when its informers have ended", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster);
    factory.informer(configMaps);
    const { signal, listeners } = countedSignal();
    factory.start(signal);
    factory.start(signal);
    await cluster.clock.settle();
    expect(listeners()).toBe(1);
    await factory[Symbol.asyncDispose]();
    await cluster.clock.settle();
    expect(listeners()).toBe(0);
  });

  test("leaves an informer alone that its user has run", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster);
    const own = factory.informer(configMaps);
    const stop = new AbortController();
    const ended = own.run(stop.signal);
    factory.start();
    await factory.waitForCacheSync();
    await factory[Symbol.asyncDispose]();
    expect(own.phase).toBe("running");
    stop.abort();
    await ended;
  });

  test("takes an option that is named and not given as absent", () => {
    const factory = factoryOf(new Cluster(), { namespace: "shop" });
    const informer = factory.informer(configMaps, {
      namespace: undefined,
      labelSelector: undefined,
    });
    expect(informer.name).toBe("v1/configmaps?namespace=shop");
    expect(informer).toBe(factory.informer(configMaps));
  });

  test("applies its options to every informer, unless one has its own (FAC-7, FAC-9)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { secret: "x" } });
    await using factory = factoryOf(cluster, {
      namespace: "shop",
      informers: { list: { pageSize: 7, watchList: false } },
    });
    const all = factory.informer<ConfigMap>(configMaps);
    const stripped = factory.informer<ConfigMap>(configMaps, {
      labelSelector: "!app",
      list: { pageSize: 3 },
      cache: { transform: ({ metadata }) => ({ metadata }) },
    });
    factory.start();
    await factory.waitForCacheSync();
    expect(all.lister.namespace("shop").get("a").data).toEqual({ secret: "x" });
    expect(stripped.lister.namespace("shop").get("a").data).toBeUndefined();
    const lists = cluster.api.control.recorder.list({ verb: "list" });
    expect(lists.map(({ query }) => query.get("limit") ?? "").toSorted()).toEqual(["3", "7"]);
  });

  test("gives each informer separate metrics (ID-2)", async () => {
    const cluster = new Cluster();
    const queued: string[] = [];
    await using factory = factoryOf(cluster, {
      metrics: ({ name, resource }) =>
        resource.resource === "pods" ? undefined : { lists: { inc: () => queued.push(name) } },
      informers: { list: { watchList: false } },
    });
    factory.informer(configMaps);
    factory.informer(configMaps, { namespace: "shop" });
    factory.informer(pods);
    factory.informer(configMaps);
    factory.start();
    await factory.waitForCacheSync();
    expect(queued.toSorted()).toEqual(["v1/configmaps", "v1/configmaps?namespace=shop"]);
  });

  test("asks for metadata only (DYN-1)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { secret: "x" } });
    await using factory = factoryOf(cluster);
    const lister = factory.lister<ConfigMap>(configMaps, { metadataOnly: true });
    factory.start();
    await factory.waitForCacheSync();
    const [object] = lister.list();
    expect(object?.metadata.name).toBe("a");
    expect(object).not.toHaveProperty("data");
  });
});
