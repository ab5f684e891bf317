import { StatusError } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { type Listener } from "../../src/index.ts";
import { Cluster, failureOf } from "../support/cluster.ts";
import { configMaps, createForbidden, factoryOf, pods, secrets } from "../support/factory.ts";
import { LineLog } from "../support/lines.ts";

/** A mailbox whose `push` throws, which must not happen. */
function createBrokenListener(name: string): Listener<KubernetesObject> {
  return {
    name,
    backlog: 0,
    push: () => {},
    sourceSynced: () => {},
    start: () => {},
    stop: () => Promise.resolve(),
    waitForRoom: () => {
      throw new Error(`${name} is broken`);
    },
  };
}

describe("the shutdown of a SharedInformerFactory", () => {
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
    expect(() => factory.informer(pods, { namespace: "shop" })).toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STOPPED" }),
    );
  });

  test("stops the informers that were started without a signal", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster);
    const informer = factory.informer(configMaps);
    factory.start();
    await factory.waitForCacheSync();
    await factory.shutdown();
    expect(informer.phase).toBe("stopped");
  });

  test("rejects the shutdown with the failure of an informer during it", async () => {
    const cluster = new Cluster();
    const factory = factoryOf(cluster);
    const informers = [
      factory.informer(configMaps),
      factory.informer(configMaps, { namespace: "shop" }),
    ];
    factory.start(new AbortController().signal);
    await factory.waitForCacheSync();
    // An unexpected error ends a source.
    for (const informer of informers) informer.addListener(createBrokenListener(informer.name));
    const down = failureOf(factory.shutdown());
    await cluster.create("shop/a");
    await cluster.clock.settle();
    const failure = await down;
    expect(failure).toBeInstanceOf(AggregateError);
    expect(failure).toMatchObject({
      message: "Cannot run 2 of 2 informers to the end",
      errors: [
        new Error("v1/configmaps is broken"),
        new Error("v1/configmaps?namespace=shop is broken"),
      ],
    });
    await expect(factory.shutdown()).rejects.toBe(failure);
  });

  test("reports the failure of an informer immediately, and not again in its shutdown", async () => {
    const cluster = createForbidden("pods", "secrets");
    await cluster.create("shop/a");
    const ends: unknown[] = [];
    const factory = factoryOf(cluster, {
      informers: {
        onError: (error, { kind }) => {
          if (kind === "end") ends.push(error);
          return kind === "watch" ? "stop" : undefined;
        },
      },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = factory.informer(configMaps);
    slow.addEventHandler({ onAdd: () => promise });
    factory.informer(pods);
    factory.informer(secrets);
    factory.start();
    await slow.synced;
    await cluster.clock.settle();
    expect(ends).toEqual([expect.any(StatusError), expect.any(StatusError)]);
    let isDown = false;
    const down = factory[Symbol.asyncDispose]().finally(() => (isDown = true));
    await cluster.clock.settle();
    expect([isDown, slow.phase]).toEqual([false, "stopping"]);
    resolve();
    await down;
    expect(slow.phase).toBe("stopped");
  });

  test("waits in its shutdown for released informers, and not for those that the user runs", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const factory = factoryOf(cluster);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = factory.informer(configMaps);
    slow.addEventHandler({ onAdd: () => promise });
    const own = factory.informer(pods);
    const stop = new AbortController();
    const ended = own.run(stop.signal);
    factory.start();
    await factory.waitForCacheSync();
    await cluster.clock.settle();
    void factory.release(slow);
    await factory.release(own);
    await cluster.clock.settle();
    expect([slow.phase, own.phase]).toEqual(["stopping", "running"]);
    let isDown = false;
    const down = factory.shutdown().then(() => (isDown = true));
    await cluster.clock.settle();
    expect(isDown).toBe(false);
    resolve();
    await down;
    stop.abort();
    await ended;
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("waits in its shutdown for an informer that was replaced by another one (FAC-5)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const factory = factoryOf(cluster);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = factory.informer(configMaps);
    slow.addEventHandler({ onAdd: () => promise });
    const stop = new AbortController();
    factory.start(stop.signal);
    await factory.waitForCacheSync();
    await cluster.clock.settle();
    stop.abort();
    await cluster.clock.settle();
    expect(factory.informer(configMaps)).not.toBe(slow);
    factory.start(stop.signal);
    let isDown = false;
    const down = factory.shutdown().then(() => (isDown = true));
    await cluster.clock.settle();
    expect([isDown, slow.phase]).toEqual([false, "stopping"]);
    resolve();
    await down;
    expect(slow.phase).toBe("stopped");
  });

  test("logs once the informers that its shutdown has waited for longer than 10 s", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const log = new LineLog();
    const factory = factoryOf(cluster, { log });
    const { promise, resolve } = Promise.withResolvers<void>();
    factory.informer(configMaps).addEventHandler({ onAdd: () => promise });
    factory.informer(pods).addEventHandler({ onAdd: () => promise });
    const stop = new AbortController();
    factory.start(stop.signal);
    await factory.waitForCacheSync();
    await cluster.clock.settle();
    stop.abort();
    const down = factory.shutdown();
    await cluster.clock.advance(9999);
    expect(log.lines).toEqual([]);
    await cluster.clock.advance(60_000);
    expect(log.lines).toMatchObject([
      {
        level: "warn",
        message: "Shutdown waits for informers",
        fields: { informers: ["v1/configmaps"] },
      },
    ]);
    resolve();
    await down;
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});
