import { AlreadyRunningError } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { NotSyncedError, waitForCacheSync } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { countedSignal } from "../support/counted-signal.ts";
import { informerOf, recorder } from "../support/informer.ts";

describe("the life of an informer", () => {
  test("runs once, and rejects handlers, indexes and settings when it is too late (SI-1 to SI-4)", async () => {
    const cluster = new Cluster();
    const informer = informerOf(cluster);
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    await expect(informer.run()).rejects.toThrow(AlreadyRunningError);
    expect(() => informer.setTransform(undefined)).toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STARTED" }),
    );
    expect(() => informer.setWatchErrorHandler(undefined)).toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STARTED" }),
    );
    const named = informer.addIndexers({ name: ({ metadata }: ConfigMap) => metadata.name });
    await cluster.create("shop/a");
    await cluster.clock.settle();
    expect(named.store.byIndex("name", "a")).toHaveLength(1);
    stop.abort();
    await ended;
    expect(() => informer.addEventHandler({})).toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STOPPED" }),
    );
    expect(() => informer.addIndexers({})).toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STOPPED" }),
    );
  });

  test("sends no request when it is stopped before the start", async () => {
    const cluster = new Cluster();
    const informer = informerOf(cluster);
    await informer.run(AbortSignal.abort());
    expect(informer.phase).toBe("stopped");
    expect(cluster.api.control.recorder.count).toBe(0);
    await expect(informer.synced).rejects.toThrow(NotSyncedError);
  });

  test("ends everything it started when it is disposed", async () => {
    const cluster = new Cluster();
    const calls: string[] = [];
    const informer = informerOf(cluster);
    informer.addEventHandler(recorder(calls));
    const ended = informer.run();
    await informer.synced;
    await informer[Symbol.asyncDispose]();
    await ended;
    await cluster.create("shop/a");
    await cluster.clock.advance(600_000);
    expect(calls).toEqual([]);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("leaves no listener on the signal of a handler, which may outlive it", async () => {
    const cluster = new Cluster();
    const { listeners, signal } = countedSignal();
    const informer = informerOf(cluster);
    const registration = informer.addEventHandler({}, { signal });
    informer.addEventHandler({}, { signal });
    void informer.run();
    await informer.synced;
    expect(listeners()).toBe(2);
    await registration.remove();
    expect(listeners()).toBe(1);
    await informer[Symbol.asyncDispose]();
    expect(listeners()).toBe(0);
  });

  test("can be disposed without ever having run", async () => {
    const informer = informerOf(new Cluster());
    await informer[Symbol.asyncDispose]();
    expect(informer.phase).toBe("stopped");
  });
});

describe("waitForCacheSync", () => {
  test("names the missing caches when it is aborted (WAI-3, WAI-4)", async () => {
    const cluster = new Cluster();
    cluster.api.control.shutdown();
    await using first = informerOf(cluster, { name: "zebras" });
    await using second = informerOf(cluster, { name: "apes" });
    void first.run();
    void second.run();
    const stop = new AbortController();
    const waiting = waitForCacheSync([first, second], { signal: stop.signal });
    stop.abort(new Error("took too long"));
    const error: unknown = await waiting.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotSyncedError);
    expect(error).toMatchObject({
      names: ["apes", "zebras"],
      message:
        "Cannot sync apes: reading the streamed list, 0 ms after the start; " +
        "zebras: reading the streamed list, 0 ms after the start",
      cause: new Error("took too long"),
    });
  });

  test("resolves for caches that have synced, even after an abort, and for no caches", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    void informer.run();
    await waitForCacheSync([informer]);
    await waitForCacheSync([informer], { signal: AbortSignal.abort() });
    await waitForCacheSync([], { signal: AbortSignal.abort() });
    expect(informer.hasSynced).toBe(true);
  });

  test("resolves when hasSynced becomes true, which needs no wait (WAI-5)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    const { promise, resolve } = Promise.withResolvers<void>();
    const registration = informer.addEventHandler({ onAdd: () => promise });
    const over: string[] = [];
    for (const syncable of [informer, registration]) {
      void waitForCacheSync([syncable]).then(() => over.push(syncable.name));
    }
    const states: unknown[] = [];
    const note = async (): Promise<void> => {
      await cluster.clock.settle();
      states.push([informer.hasSynced, registration.hasSynced, over.length]);
    };
    await note();
    void informer.run();
    await informer.synced;
    await note();
    resolve();
    await registration.synced;
    await note();
    expect(states).toEqual([
      [false, false, 0],
      [true, false, 1],
      [true, true, 2],
    ]);
  });
});
