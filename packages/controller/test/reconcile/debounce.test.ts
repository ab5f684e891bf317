import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InvalidOptionsError } from "@listwatch/core-fifo";
import {
  Controller,
  labelsChanged,
  LeaderElector,
  type SourceOptions,
} from "@listwatch/controller";
import { Cluster, configMap, type ConfigMap } from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";

let cluster: Cluster;
let stop: AbortController;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
});

/** Runs a controller and records each reconcile with its time and the label that it sees. */
async function record(options: SourceOptions<ConfigMap>) {
  const startMs = cluster.clock.now();
  const reconciled: string[] = [];
  const informer = runInformer(cluster, stop.signal);
  const controller: Controller<ConfigMap> = new Controller<ConfigMap>({
    clock: cluster.clock,
    reconcile: (key) => {
      const label = informer.store.getByKey(key)?.metadata.labels?.["a"] ?? "none";
      const priority = controller.queue.priorityOf(key);
      reconciled.push(`${cluster.clock.now() - startMs} ${key} ${label} ${priority}`);
    },
  });
  const running = controller.for(informer, options).run(stop.signal);
  await cluster.clock.advance(0);
  return { controller, reconciled, running };
}

describe("debounceMs", () => {
  test("reconciles once, when a key has not changed for the time", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const { reconciled } = await record({ debounceMs: 100 });
    await cluster.clock.advance(500);
    reconciled.length = 0;
    for (const a of ["1", "2", "3", "4"]) {
      await cluster.update("default/a", { labels: { a } });
      await cluster.clock.advance(60);
    }
    await cluster.clock.advance(500);
    expect(reconciled).toHaveLength(1);
    // The last change came at 680 ms.
    expect(reconciled[0]).toMatch(/^78\d default\/a 4 0$/);
  });

  test("delays each key by itself, and the changes of other sources not at all", async () => {
    const { controller, reconciled } = await record({ debounceMs: 100 });
    await cluster.configMaps.create(configMap("default/a"));
    await cluster.clock.advance(60);
    await cluster.configMaps.create(configMap("default/b"));
    controller.queue.add("default/c");
    await cluster.clock.advance(500);
    expect(reconciled.map((line) => line.split(" ")[1])).toEqual([
      "default/c",
      "default/a",
      "default/b",
    ]);
  });

  test("keeps the highest priority of the changes", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const priorities = [7, 3];
    const { reconciled } = await record({
      debounceMs: 100,
      priority: (_, usual) => priorities.shift() ?? usual,
    });
    await cluster.clock.advance(50);
    await cluster.update("default/a", { labels: { a: "1" } });
    await cluster.clock.advance(500);
    expect(reconciled).toEqual([expect.stringMatching(/default\/a 1 7$/)]);
  });

  test("does not start the time again for changes that the predicate holds back", async () => {
    const { reconciled } = await record({ debounceMs: 100, predicate: labelsChanged });
    await cluster.configMaps.create(configMap("default/a"));
    await cluster.clock.advance(60);
    await cluster.update("default/a", { data: { x: "1" } });
    await cluster.clock.advance(60);
    expect(reconciled).toHaveLength(1);
  });

  test("leaves no timer behind", async () => {
    const { reconciled, running } = await record({ debounceMs: 100 });
    await cluster.configMaps.create(configMap("default/a"));
    await cluster.clock.advance(50);
    stop.abort();
    await cluster.clock.advance(10);
    await running;
    expect(cluster.clock.pendingTimers).toBe(0);
    await cluster.clock.advance(500);
    expect(reconciled).toEqual([]);
  });

  test.each([[-1], [Number.NaN], ["100"]])("refuses %j", (debounceMs) => {
    const controller = new Controller({ reconcile: () => {} });
    const informer = runInformer(cluster, stop.signal);
    const add = () => controller.for(informer, { debounceMs } as object);
    expect(add).toThrow(InvalidOptionsError);
  });
});

describe("a controller that waits for leadership", () => {
  test("has filled its caches and its queue before it leads", async () => {
    const lease = { namespace: "default", name: "operator" };
    const first = new LeaderElector({ client: cluster.client, lease, identity: "first" });
    const resigns = new AbortController();
    void first.run(resigns.signal);
    await cluster.clock.advance(1000);
    await cluster.configMaps.create(configMap("default/a"));
    const informer = runInformer(cluster, stop.signal);
    const elector = new LeaderElector({ client: cluster.client, lease, identity: "second" });
    const reconciled: string[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      elector,
      reconcile: (key) => void reconciled.push(key),
    });
    void elector.run(stop.signal);
    void controller.run(stop.signal);
    await cluster.clock.advance(1000);
    await controller.synced;
    expect([elector.isLeader, informer.hasSynced, controller.queue.length]).toEqual([
      false,
      true,
      1,
    ]);
    await cluster.configMaps.create(configMap("default/b"));
    await cluster.clock.advance(10_000);
    expect([elector.isLeader, controller.queue.length, reconciled]).toEqual([false, 2, []]);
    const requests = cluster.requests();
    resigns.abort();
    await cluster.clock.advance(10_000);
    expect([elector.isLeader, reconciled]).toEqual([true, ["default/b", "default/a"]]);
    expect(cluster.requests()).toEqual(requests);
  });
});
