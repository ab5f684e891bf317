import { isNotFound } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { NotSyncedError } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { configMaps, factoryOf } from "../support/factory.ts";

const nothings = { group: "example.com", version: "v1", resource: "nothings" };

describe("an informer that a factory makes from group, version and resource", () => {
  test("has a lister; a resource that is not served is reported (FAC-6)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const failures: unknown[] = [];
    await using factory = factoryOf(cluster, {
      informers: { onError: (error, { kind }) => void failures.push([kind, isNotFound(error)]) },
    });
    const known = factory.informer(configMaps);
    expect(factory.lister(configMaps)).toBe(known.lister);
    const unknown = factory.informer(nothings);
    const stopped = factory.informer(nothings, {
      namespace: "shop",
      onError: (error, { kind }) => {
        failures.push([kind, isNotFound(error)]);
        return "stop";
      },
    });
    factory.start();
    await cluster.clock.settle();
    expect(known.lister.list()).toHaveLength(1);
    expect(failures).toContainEqual(["watch", true]);
    expect(failures).toContainEqual(["end", true]);
    expect(failures).not.toContainEqual([expect.anything(), false]);
    expect([unknown.hasSynced, unknown.phase]).toEqual([false, "running"]);
    expect(unknown.status().problem).toBeDefined();
    const failure: unknown = await stopped.synced.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NotSyncedError);
    expect(String(failure)).toContain("example.com/v1/nothings?namespace=shop");
  });

  test("has a name, accepts a transform until the start, and its sync can be awaited with a signal (DYN-2)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    await using factory = factoryOf(cluster);
    const informer = factory.informer<ConfigMap>(configMaps);
    expect(informer.name).toBe("v1/configmaps");
    informer.setTransform(({ metadata }) => ({ metadata }));
    factory.start();
    const waiting = factory.waitForCacheSync({ signal: AbortSignal.abort() });
    await expect(waiting).rejects.toMatchObject({ names: ["v1/configmaps"] });
    await factory.waitForCacheSync();
    const [object] = informer.store.list();
    expect(object?.metadata.name).toBe("a");
    expect(object).not.toHaveProperty("data");
    expect(() => informer.setTransform(undefined)).toThrow("Cannot set a transform");
  });
});
