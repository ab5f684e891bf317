import { InvalidNameError, StatusError, type ResourceReference } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { NotSyncedError, SharedInformerFactory } from "../../src/index.ts";
import { metricsSink } from "../support/metrics-sink.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { countedSignal } from "../support/counted-signal.ts";
import { configMaps, createForbidden, factoryOf, pods } from "../support/factory.ts";
import { LineLog } from "../support/lines.ts";

const typedConfigMaps: ResourceReference<ConfigMap> = configMaps;

describe("SharedInformerFactory", () => {
  test("returns one informer per resource, namespace, selectors and form (FAC-1)", () => {
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

  test("does not apply its namespace to cluster-scoped handles", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster, { namespace: "shop" });
    const namespaces = {
      group: "",
      version: "v1",
      resource: "namespaces",
      scope: "Cluster",
    } as const;
    const informer = factory.informer(namespaces);
    expect(informer.name).toBe("v1/namespaces");
    expect(factory.informer(pods).name).toBe("v1/pods?namespace=shop");
    factory.start();
    await cluster.clock.settle();
    expect(informer.store.getByKey("kube-system")).toBeDefined();
    await factory[Symbol.asyncDispose]();
  });

  test.each(["..", "shop/../..", "%2e%2e"])(
    "rejects the namespace %j, which would address other objects",
    (namespace) => {
      const factory = factoryOf(new Cluster());
      const named = expect.objectContaining({ code: "LW_INVALID_NAME", part: "namespace" });
      expect(() => factory.informer(configMaps, { namespace })).toThrow(named);
      expect(() => factory.informer({ ...configMaps, resource: "../nodes" })).toThrow(
        InvalidNameError,
      );
    },
  );

  test("forgets an informer that it could not return to its first user", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster);
    const indexers = JSON.parse('{ "node": 5 }');
    expect(() => factory.informer(configMaps, { indexers })).toThrow("indexers");
    factory.start();
    await cluster.clock.settle();
    expect(cluster.api.control.recorder.list()).toEqual([]);
    await factory[Symbol.asyncDispose]();
  });

  test("runs the existing informers at the start, and later ones at the next start (FAC-2, FAC-3)", async () => {
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

  test("rejects a wait before the first start, which would end with empty caches", async () => {
    const cluster = new Cluster();
    await using factory = factoryOf(cluster);
    await factory.waitForCacheSync();
    const own = factory.informer(configMaps);
    void own.run();
    await factory.waitForCacheSync();
    factory.informer(configMaps, { namespace: "shop" });
    factory.informer(pods);
    const error = await factory.waitForCacheSync().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotSyncedError);
    expect(error).toMatchObject({
      message: "Cannot sync v1/configmaps?namespace=shop: not started; v1/pods: not started",
      cause: { message: "start() of the factory was not called" },
    });
    factory.start();
    await factory.waitForCacheSync();
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

  test("logs the failure of an informer when no hook is set", async () => {
    const cluster = createForbidden("pods");
    const log = new LineLog();
    await using factory = factoryOf(cluster, { log });
    factory.informer(pods).setWatchErrorHandler(() => "stop");
    factory.start();
    await cluster.clock.settle();
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([
      {
        level: "error",
        message: "Informer has ended",
        fields: { informer: "v1/pods", cause: expect.any(StatusError) as unknown },
      },
    ]);
  });

  test.each(["Forbidden", "NotFound"] as const)(
    "forgets an informer that a %s has stopped: the next request returns one that works",
    async (reason) => {
      const cluster = new Cluster();
      const fault = cluster.api.control.faults.add({
        match: { resource: "pods" },
        action: { type: "status", status: { code: reason === "Forbidden" ? 403 : 404 } },
        times: Infinity,
      });
      await using factory = factoryOf(cluster, {
        informers: { onError: () => "stop" },
      });
      const ended = factory.informer(pods);
      factory.start();
      await cluster.clock.settle();
      expect(ended.phase).toBe("stopped");
      await expect(ended.synced).rejects.toMatchObject({ cause: { reason } });
      // It has not synced, and is neither released nor requested again.
      await expect(factory.waitForCacheSync()).rejects.toMatchObject({ names: ["v1/pods"] });
      fault.remove();
      const next = factory.informer(pods);
      expect(next).not.toBe(ended);
      expect(factory.informer(pods)).toBe(next);
      factory.start();
      await factory.waitForCacheSync();
      expect([next.phase, next.hasSynced]).toEqual(["running", true]);
    },
  );

  test("forgets informers whose start was aborted, and those that the user has stopped", async () => {
    const cluster = new Cluster();
    await using factory = factoryOf(cluster);
    const stop = new AbortController();
    const first = factory.informer(configMaps);
    factory.start(stop.signal);
    await factory.waitForCacheSync();
    const own = factory.informer(pods);
    void own.run();
    await own[Symbol.asyncDispose]();
    stop.abort();
    await cluster.clock.settle();
    expect([first.phase, own.phase]).toEqual(["stopped", "stopped"]);
    expect(factory.informer(configMaps).phase).toBe("created");
    expect(factory.informer(pods).phase).toBe("created");
  });

  test("stops an informer when its last user releases it, and forgets it", async () => {
    const cluster = new Cluster();
    await using factory = factoryOf(cluster);
    const informer = factory.informer(configMaps);
    expect(factory.informer(configMaps)).toBe(informer);
    const lister = factory.lister(configMaps);
    const other = factory.informer(pods);
    factory.start();
    await factory.waitForCacheSync();
    await factory.release(informer);
    await factory.release(informer);
    expect(informer.phase).toBe("running");
    await factory.release(lister);
    expect([informer.phase, other.phase]).toEqual(["stopped", "running"]);
    expect(cluster.api.control.watches.list()).toHaveLength(1);
    await factory.release(informer);
    const next = factory.informer(configMaps);
    expect(next).not.toBe(informer);
    await factory.waitForCacheSync();
    expect(next.phase).toBe("created");
    await factory.release(next);
    factory.start();
    expect(next.phase).toBe("stopped");
  });

  test("gives each informer a unique name, which is free again after its release (ID-1)", async () => {
    const cluster = new Cluster();
    await using factory = factoryOf(cluster);
    const scopes = [
      { fieldSelector: "data.x=a", metadataOnly: true },
      { fieldSelector: "data.x=a&metadataOnly" },
      { fieldSelector: "data.x=a%26metadataOnly" },
      { labelSelector: "app=web", fieldSelector: "data.x=a" },
      { labelSelector: "app=web&fieldSelector=data.x=a" },
    ];
    const informers = scopes.map((scope) => factory.informer(configMaps, scope));
    expect(new Set(informers).size).toBe(scopes.length);
    const names = informers.map(({ name }) => name);
    expect(new Set(names).size).toBe(scopes.length);
    const [first] = informers;
    if (first === undefined) throw new Error("Expected an informer");
    await factory.release(first);
    const next = factory.informer(configMaps, scopes[0]);
    expect(next).not.toBe(first);
    expect(next.name).toBe(first.name);
  });

  test("accepts an index of any name", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using factory = factoryOf(cluster);
    const informer = factory.informer(typedConfigMaps, {
      indexers: { ["__proto__"]: ({ metadata }: ConfigMap) => metadata.name },
    });
    factory.start();
    await factory.waitForCacheSync();
    expect(informer.store.byIndex("__proto__", "a")).toHaveLength(1);
  });

  test("adds missing indexes to an informer when it is requested again", async () => {
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

  test("removes its listener from the signal of a start when its informers have ended", async () => {
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

  test("does not touch an informer that the user runs", async () => {
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

  test("treats an option that is undefined as absent", () => {
    const factory = factoryOf(new Cluster(), { namespace: "shop" });
    const informer = factory.informer(configMaps, {
      namespace: undefined,
      labelSelector: undefined,
    });
    expect(informer.name).toBe("v1/configmaps?namespace=shop");
    expect(informer).toBe(factory.informer(configMaps));
  });

  test("applies its options to every informer, unless the informer has another value (FAC-7, FAC-9)", async () => {
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
    const listed: string[] = [];
    await using factory = factoryOf(cluster, {
      metrics: metricsSink(({ labels, name }) => {
        if (name === "reflector_lists_total") listed.push(labels["name"] ?? "");
      }),
      informers: { list: { watchList: false } },
    });
    factory.informer(configMaps);
    factory.informer(configMaps, { namespace: "shop" });
    factory.informer(pods);
    factory.informer(configMaps);
    factory.start();
    await factory.waitForCacheSync();
    expect(listed.toSorted()).toEqual(["v1/configmaps", "v1/configmaps?namespace=shop", "v1/pods"]);
  });

  test("requests only metadata (DYN-1)", async () => {
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

test("a factory rejects an invalid connection, and informers without a resource, immediately", () => {
  // Untyped arguments.
  for (const options of [undefined, {}]) {
    expect(() => Reflect.construct(SharedInformerFactory, [options])).toThrow(
      "Cannot use the option connection: expected what createConnection makes, got undefined",
    );
  }
  expect(() => Reflect.construct(SharedInformerFactory, [{ server: "http://server" }])).toThrow(
    "Cannot use the option server: expected one of connection, ",
  );
  const factory = factoryOf(new Cluster());
  for (const resource of ["pods", undefined]) {
    expect(() => Reflect.apply(factory.informer.bind(factory), undefined, [resource])).toThrow(
      "Cannot use the option resource: expected a handle, or an object with group, version and",
    );
  }
});
