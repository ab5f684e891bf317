import { silentLog } from "@listwatch/core-fifo";
import { expect, test } from "vitest";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { Controller } from "@listwatch/controller";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { Cluster } from "../support/cluster.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" } as const;

test("each waiting key has the reason why it waits", async () => {
  const clock = new SimulatedClock({ startMs: 1000 });
  const stop = new AbortController();
  const gate = Promise.withResolvers<void>();
  const controller = new Controller({
    clock,
    telemetry: { log: silentLog },
    reconcile: async (key) => {
      if (key === "failing") throw new Error("not yet");
      await gate.promise;
    },
  });
  const reasons = () =>
    Object.fromEntries(controller.pendingKeys().map(({ key, reason }) => [key, reason]));
  controller.queue.add("failing", { priority: 2 });
  controller.queue.add("running", { priority: 1 });
  controller.queue.add("next");
  controller.queue.add("last", { priority: -100 });
  expect(reasons()).toEqual({ failing: "start", running: "start", next: "start", last: "start" });
  const running = controller.run(stop.signal);
  await clock.settle();
  controller.queue.add("running");
  expect(reasons()).toEqual({
    failing: "delay",
    running: "its reconcile",
    next: "worker",
    last: "priority",
  });
  const failing = controller.pendingKeys().find(({ key }) => key === "failing");
  expect(failing).toMatchObject({ failures: 1, dueMs: 1005, priority: 2 });
  stop.abort();
  gate.resolve();
  await clock.advance(1000);
  await running;
});

test("all keys are listed, however many wait", () => {
  const controller = new Controller({ telemetry: { log: silentLog }, reconcile: () => {} });
  // More than a call can have arguments.
  const count = 200_000;
  for (let index = 0; index < count; index++) controller.queue.add(`default/${index}`);
  expect(controller.pendingKeys()).toHaveLength(count);
});

test("a key waits for the caches to show its own write", async () => {
  const cluster = new Cluster();
  const { clock, client, connection } = cluster;
  await cluster.create("default/a");
  await using factory = new SharedInformerFactory({ connection, clock, log: silentLog });
  const informer = factory.informer(configMaps);
  let rounds = 0;
  const controller = new Controller({
    informer,
    client,
    clock,
    telemetry: { log: silentLog },
    reconcile: async (_key, context) => {
      rounds++;
      if (rounds > 1) return undefined;
      // The watch is silent, so that the cache cannot show the write.
      for (const watch of cluster.api.control.watches.list()) watch.stall();
      await context.client.resource(configMaps).patch("default/a", { data: { written: "yes" } });
      return { requeueAfterMs: 10 };
    },
  });
  const stop = new AbortController();
  factory.start();
  const running = controller.run(stop.signal);
  await clock.advance(5);
  expect(controller.pendingKeys()).toMatchObject([{ key: "default/a", reason: "delay" }]);
  await clock.advance(100);
  expect(controller.pendingKeys()).toMatchObject([{ key: "default/a", reason: "own write" }]);
  stop.abort();
  await clock.advance(1000);
  await running;
});
