import { AlreadyRunningError } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { InformerView } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

describe("a view, also after addIndexers", () => {
  test("has the freshness and the problem of its sources, after its own sync", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    const plain = new InformerView<ConfigMap>([informer], { clock, name: "web" });
    await using view = plain.addIndexers({ name: ({ metadata }: ConfigMap) => metadata.name });
    expect(view).toBe(plain);
    void informer.run();
    await informer.synced;
    await clock.settle();
    expect(view.isFresh({ withinMs: 3_600_000 })).toBe(false);
    void view.run();
    await view.synced;
    await clock.settle();
    expect(view.isFresh({ withinMs: 0 })).toBe(true);
    expect(view.status()).toMatchObject({
      name: "web",
      phase: "running",
      hasSynced: true,
      freshAsOfMs: clock.now(),
      problem: undefined,
      queuedDeltas: 0,
      resourceVersion: informer.lastStoreSyncResourceVersion,
      source: undefined,
    });
    await view.waitForObject(await cluster.update("shop/a", { data: { n: "1" } }));
    expect(view.store.byIndex("name", "a")[0]?.data).toEqual({ n: "1" });

    cluster.api.control.shutdown();
    await clock.advance(5000);
    expect(view.isFresh({ withinMs: 3_600_000 })).toBe(false);
    expect(view.status().problem).toEqual(informer.status().problem);
    expect(view.status().problem).toBeDefined();
  });

  test("runs once, and is no longer fresh after it has stopped", async () => {
    const cluster = new Cluster();
    const { clock } = cluster;
    await using informer = informerOf(cluster);
    void informer.run();
    const view = new InformerView<ConfigMap>([informer], { clock });
    const ended = view.run();
    await expect(view.run()).rejects.toThrow(AlreadyRunningError);
    await view.synced;
    await clock.settle();
    expect(view.isFresh({ withinMs: 0 })).toBe(true);
    await view[Symbol.asyncDispose]();
    await ended;
    expect(view.isFresh({ withinMs: 3_600_000 })).toBe(false);
    await expect(view.run()).rejects.toThrow("Cannot run view: run was called before");
  });
});
