import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  AlreadyRunningError,
  silentLog,
  sleep,
  type Cached,
  type Clock,
} from "@listwatch/core-fifo";
import {
  anyOf,
  Controller,
  generationChanged,
  labelsChanged,
  ReconcileTimeoutError,
  TerminalError,
  type ReconcileFailure,
} from "@listwatch/controller";
import { ItemExponentialFailureRateLimiter, WorkQueue } from "@listwatch/workqueue";
import { waitForCacheSync } from "@listwatch/shared-informer";
import { Cluster, configMap, configMapReference, type ConfigMap } from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";
import { LineLog } from "../support/lines.ts";

let cluster: Cluster;
let stop: AbortController;
let informers: AbortController;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  informers = new AbortController();
});

afterEach(async () => {
  stop.abort();
  informers.abort();
  await cluster.clock.advance(1000);
});

describe("Controller", () => {
  test("reconciles the initial list after the sync, then changes", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const informer = runInformer(cluster, informers.signal);
    const reconciled: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      reconcile: (key) => {
        expect(informer.hasSynced).toBe(true);
        reconciled.push(`${key} ${informer.store.getByKey(key) === undefined ? "gone" : "there"}`);
      },
    }).for(informer);
    const running = controller.run(stop.signal);
    await cluster.clock.advance(10);
    await controller.synced;
    await cluster.configMaps.create(configMap("default/b"));
    await cluster.clock.advance(10);
    await cluster.configMaps.delete("default/a");
    await cluster.clock.advance(10);
    expect(reconciled).toEqual(["default/a there", "default/b there", "default/a gone"]);
    stop.abort();
    await running;
    await expect(controller.run()).rejects.toThrow(AlreadyRunningError);
    expect(() => controller.for(informer)).toThrow(
      expect.objectContaining({ code: "LW_CONTROLLER_STATE" }),
    );
  });

  test("a change overtakes the rest of the initial list", async () => {
    for (const name of ["a", "b", "c"])
      await cluster.configMaps.create(configMap(`default/${name}`));
    const informer = runInformer(cluster, informers.signal);
    const reconciled: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      reconcile: async (key) => {
        reconciled.push(key);
        await sleep(100, { clock: cluster.clock });
      },
    }).for(informer);
    void controller.run(stop.signal);
    await cluster.clock.advance(50);
    await cluster.configMaps.create(configMap("default/urgent"));
    await cluster.clock.advance(500);
    expect(reconciled).toEqual(["default/a", "default/urgent", "default/b", "default/c"]);
  });

  test("retries failures with growing delays, except terminal ones, and delays no other key", async () => {
    const failures: (ReconcileFailure & { readonly atMs: number })[] = [];
    const startMs = cluster.clock.now();
    const succeeded: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      telemetry: { log: silentLog },
      reconcile: (key, { retries }) => {
        if (key === "terminal") throw new TerminalError("never");
        if (key === "twice" && retries < 2) throw new Error("not yet");
        succeeded.push(key);
      },
      onError: (_, failure) => {
        failures.push({ ...failure, atMs: cluster.clock.now() - startMs });
        throw new Error("a failing hook is ignored");
      },
    });
    for (const key of ["terminal", "twice", "fine"]) controller.queue.add(key);
    void controller.run(stop.signal);
    await cluster.clock.advance(1000);
    expect(succeeded).toEqual(["fine", "twice"]);
    expect(failures).toEqual([
      { key: "terminal", failures: 1, willRetry: false, atMs: 0 },
      { key: "twice", failures: 1, willRetry: true, atMs: 0 },
      { key: "twice", failures: 2, willRetry: true, atMs: 5 },
    ]);
    expect(controller.queue.numRequeues("twice")).toBe(0);
  });

  test("a thousand failing keys are each retried after 5 ms: there is no limit over all keys", async () => {
    const retriedAt = new Set<number>();
    const startMs = cluster.clock.now();
    const controller = new Controller({
      clock: cluster.clock,
      telemetry: { log: silentLog },
      reconcile: (_, { retries }) => {
        if (retries === 0) throw new Error("not yet");
        retriedAt.add(cluster.clock.now() - startMs);
      },
    });
    for (let index = 0; index < 1000; index += 1) controller.queue.add(`default/${index}`);
    void controller.run(stop.signal);
    await cluster.clock.advance(5);
    expect(controller.queue.delayed + controller.queue.length).toBe(0);
    expect([...retriedAt]).toEqual([5]);
  });

  test("reconciles again after requeueAfterMs", async () => {
    const at: number[] = [];
    const startMs = cluster.clock.now();
    const controller = new Controller({
      clock: cluster.clock,
      reconcile: () => {
        at.push(cluster.clock.now() - startMs);
        return at.length < 3 ? { requeueAfterMs: 60_000 } : undefined;
      },
    });
    controller.queue.add("a");
    void controller.run(stop.signal);
    await cluster.clock.advance(600_000);
    expect(at).toEqual([0, 60_000, 120_000]);
  });

  test("watches objects that a function maps to keys, and owns takes no other function", async () => {
    await cluster.create("default/child", { labels: { parent: "one" } });
    const informer = runInformer(cluster, informers.signal);
    const reconciled: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      reconcile: (key) => void reconciled.push(key),
    });
    const parents = ({ metadata }: Cached<ConfigMap>): string[] =>
      Object.values(metadata.labels ?? {}).map((name) => `default/${name}`);
    controller.watches(informer, parents);
    const own = (): unknown =>
      Reflect.apply(controller.owns.bind(controller), null, [informer, parents]);
    expect(own).toThrow("Cannot use the option owner: expected a handle of the owners' resource");
    expect(own).toThrow("watches takes functions");
    expect(() => controller.owns(informer, { group: "" } as never)).toThrow(
      "an object with group and kind",
    );
    void controller.run(stop.signal);
    await cluster.clock.advance(10);
    await cluster.update("default/child", { labels: { parent: "two" } });
    await cluster.clock.advance(10);
    expect(reconciled).toEqual(["default/one", "default/one", "default/two"]);
  });

  test("maps owned objects to their owners, both the old and the new one after a change", async () => {
    const owner = await cluster.configMaps.create(configMap("default/owner"));
    const other = await cluster.configMaps.create(configMap("default/other"));
    const informer = runInformer(cluster, informers.signal);
    const reconciled: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      reconcile: (key) => void reconciled.push(key),
    }).owns(informer, { group: "", kind: "ConfigMap" });
    void controller.run(stop.signal);
    await cluster.clock.advance(10);
    const reference = ({ metadata }: typeof owner): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      name: metadata.name,
      uid: metadata.uid,
      controller: true,
    });
    await cluster.configMaps.create(
      configMap("default/child", { metadata: { name: "", ownerReferences: [reference(owner)] } }),
    );
    await cluster.clock.advance(10);
    await cluster.configMaps.patch("default/child", {
      metadata: { ownerReferences: [reference(other)] },
    });
    await cluster.clock.advance(10);
    await cluster.configMaps.delete("default/child");
    await cluster.clock.advance(10);
    expect(reconciled).toEqual([
      "default/owner",
      "default/owner",
      "default/other",
      "default/other",
    ]);
  });

  test("a predicate filters changes", async () => {
    const informer = runInformer(cluster, informers.signal);
    const reconciled: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      reconcile: (key) => void reconciled.push(key),
    }).for(informer, { predicate: anyOf(generationChanged, labelsChanged) });
    void controller.run(stop.signal);
    await cluster.clock.advance(10);
    await cluster.configMaps.create(configMap("default/a"));
    await cluster.clock.advance(10);
    // A config map has no generation, so this predicate ignores all updates.
    await cluster.configMaps.patch("default/a", { data: { x: "1" } });
    await cluster.clock.advance(10);
    expect(reconciled).toEqual(["default/a"]);
  });

  test("at the time limit the signal is aborted and the overrun reported; the key stays in work until the end", async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const reasons: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      limits: { timeoutMs: 1000 },
      workers: 2,
      reconcile: async (_, { signal }) => {
        runs += 1;
        // Ignores the abort for 5 s.
        await sleep(5000, { clock: cluster.clock });
        reasons.push(signal.reason);
      },
      onError: (error) => errors.push(error),
    });
    controller.queue.add("slow");
    void controller.run(stop.signal);
    await cluster.clock.advance(1000);
    controller.queue.add("slow");
    await cluster.clock.advance(3000);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(ReconcileTimeoutError);
    expect(runs).toBe(1);
    await cluster.clock.advance(1000);
    expect(reasons[0]).toBeInstanceOf(ReconcileTimeoutError);
    expect(runs).toBe(2);
  });

  test("a stop starts no further reconcile, waits for running ones, and aborts them when they take too long", async () => {
    const began: string[] = [];
    const ended: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      limits: { stopTimeoutMs: 2000 },
      workers: 2,
      reconcile: async (key, { signal }) => {
        began.push(key);
        const delayMs = key === "quick" ? 1000 : 100_000;
        await sleep(delayMs, { clock: cluster.clock, signal }).catch((error: unknown) =>
          ended.push(error),
        );
      },
    });
    for (const key of ["quick", "endless", "waiting"]) controller.queue.add(key);
    let isOver = false;
    const running = controller.run(stop.signal).then(() => (isOver = true));
    await cluster.clock.advance(500);
    stop.abort();
    await cluster.clock.advance(1999);
    expect(isOver).toBe(false);
    await cluster.clock.advance(1);
    await running;
    expect(began).toEqual(["quick", "endless"]);
    expect(ended[0]).toMatchObject({ code: "LW_STOPPED" });
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("holds a key back until the cache has seen what its last reconcile wrote", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const informer = runInformer(cluster, informers.signal, silentLog);
    await cluster.clock.advance(10);
    const seen: (string | undefined)[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      telemetry: { log: silentLog },
      client: cluster.client,
      reconcile: async (key, { client }) => {
        const cached = informer.store.getByKey(key);
        seen.push(cached?.data?.["count"]);
        if (seen.length > 3) return;
        const data = { count: String(Number(cached?.data?.["count"] ?? 0) + 1) };
        await client.resource<ConfigMap>(configMapReference).patch(key, { data });
      },
    }).for(informer);
    // Every event reaches the cache one second late.
    cluster.api.control.faults.add({
      match: { verb: "watch" },
      times: Infinity,
      action: { type: "delayEvents", ms: 1000 },
    });
    cluster.api.control.watches.end();
    await cluster.clock.advance(10_000);
    void controller.run(stop.signal);
    for (let index = 0; index < 4; index += 1) {
      await cluster.clock.advance(1);
      controller.queue.add("default/a");
    }
    await cluster.clock.advance(60_000);
    expect(seen.slice(0, 4)).toEqual([undefined, "1", "2", "3"]);
  });

  test("a key is held back no longer than readYourWritesTimeoutMs", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const log = new LineLog();
    const informer = runInformer(cluster, informers.signal);
    await cluster.clock.advance(10);
    cluster.api.control.watches.list().forEach((watch) => watch.stall());
    const seen: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      client: cluster.client,
      informer,
      limits: { readYourWritesTimeoutMs: 5000 },
      telemetry: { log },
      reconcile: async (key, { client, object }) => {
        seen.push(object?.data?.["x"]);
        const data = { x: String(seen.length) };
        await client.resource<ConfigMap>(configMapReference).patch(key, { data });
      },
    });
    void controller.run(stop.signal);
    await cluster.clock.advance(1);
    controller.queue.add("default/a");
    await cluster.clock.advance(4000);
    expect(seen).toEqual([undefined]);
    await cluster.clock.advance(1500);
    expect(seen).toEqual([undefined, "1"]);
    expect(log.loud).toMatchObject([{ fields: { key: "default/a", writes: 1 } }]);
  });

  test("passes the cached object of the key to a reconcile", async () => {
    await cluster.configMaps.create(configMap("default/a", { data: { x: "1" } }));
    const informer = runInformer(cluster, informers.signal);
    const seen: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      reconcile: (key, { object }) => {
        seen.push([key, object?.data?.["x"]]);
      },
    });
    void controller.run(stop.signal);
    await cluster.clock.advance(10);
    await cluster.configMaps.delete("default/a");
    await cluster.clock.advance(10);
    expect(seen).toEqual([
      ["default/a", "1"],
      ["default/a", undefined],
    ]);
  });

  test("the context of a reconcile can be passed to requests and waits as their options", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const informer = runInformer(cluster, informers.signal);
    const failures: unknown[] = [];
    let patches = 0;
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      onError: (failure) => failures.push(failure),
      reconcile: async (key, context) => {
        if (patches > 0) return;
        await waitForCacheSync([informer], context);
        await cluster.configMaps.get(key, context);
        await cluster.configMaps.patch(key, { data: { patched: "yes" } }, context);
        patches++;
      },
    });
    const running = controller.run(stop.signal);
    await cluster.clock.advance(10);
    expect(failures).toEqual([]);
    expect(patches).toBe(1);
    stop.abort();
    await running;
  });

  test("a disposal stops the controller, also before its run", async () => {
    const controller = new Controller({ clock: cluster.clock, reconcile: () => {} });
    const running = controller.run();
    await cluster.clock.advance(0);
    await controller[Symbol.asyncDispose]();
    await running;
    const late = new Controller({ clock: cluster.clock, reconcile: () => {} });
    await late[Symbol.asyncDispose]();
    await late.run();
    expect(late.queue.isShuttingDown).toBe(true);
  });

  test("the queue of a controller accepts a limiter and an ordering", async () => {
    const retries: number[] = [];
    const startMs = cluster.clock.now();
    const controller = new Controller({
      clock: cluster.clock,
      telemetry: { log: silentLog },
      queue: { rateLimiter: new ItemExponentialFailureRateLimiter({ baseMs: 100, maxMs: 100 }) },
      reconcile: () => {
        retries.push(cluster.clock.now() - startMs);
        throw new Error("not yet");
      },
    });
    controller.queue.add("a");
    void controller.run(stop.signal);
    await cluster.clock.advance(250);
    expect(retries).toEqual([0, 100, 200]);
  });

  test.each([0, -5, -Infinity])(
    "a requeueAfterMs of %s blocks neither other keys nor the stop",
    async (requeueAfterMs) => {
      let rounds = 0;
      const controller = new Controller({
        clock: cluster.clock,
        reconcile: () => {
          rounds += 1;
          // Ends the test if the controller loops forever.
          if (rounds > 10_000) throw new TerminalError("for ever");
          return { requeueAfterMs };
        },
      });
      controller.queue.add("a");
      const running = controller.run(stop.signal);
      await cluster.clock.advance(100);
      expect(rounds).toBeGreaterThan(1);
      expect(rounds).toBeLessThanOrEqual(101);
      stop.abort();
      await running;
    },
  );

  test("synchronous reconciles yield to the event loop while keys are queued", async () => {
    let nowMs = 0;
    let turns = 0;
    let rounds = 0;
    const clock: Clock = {
      now: () => (nowMs += 1),
      setTimeout: () => ({ cancel: () => undefined }),
      nextTurn: async () => void (turns += 1),
    };
    const controller = new Controller({ clock, reconcile: () => void (rounds += 1) });
    for (let key = 0; key < 100; key++) controller.queue.add(String(key));
    const running = controller.run(stop.signal);
    await cluster.clock.settle();
    expect(rounds).toBe(100);
    expect(turns).toBeGreaterThan(5);
    stop.abort();
    await running;
  });

  test("processNextItem runs the loop manually, on another queue", async () => {
    const queue = new WorkQueue<string>({ clock: cluster.clock });
    const done: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      queue,
      reconcile: (key) => void done.push(key),
    });
    queue.add("a");
    queue.add("b");
    expect(await controller.processNextItem()).toBe(true);
    queue.shutDown();
    expect(await controller.processNextItem()).toBe(true);
    expect(await controller.processNextItem()).toBe(false);
    expect(done).toEqual(["a", "b"]);
  });

  test("rejects with the reason when an informer ends before its sync", async () => {
    const controller = new Controller({ clock: cluster.clock, reconcile: () => {} }).for(
      runInformer(cluster, AbortSignal.abort()),
    );
    await expect(controller.run(stop.signal)).rejects.toThrow(
      expect.objectContaining({ code: "LW_INFORMER_STOPPED" }),
    );
    await expect(controller.synced).rejects.toThrow(
      expect.objectContaining({ code: "LW_STOPPED" }),
    );
  });
});
