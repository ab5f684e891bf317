import { isDeleted, isReady, waitFor } from "@listwatch/client";
import { SharedInformer } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { Cluster, failureOf, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

test("a wait for a condition uses the informer's cache, and sends no request", async () => {
  const cluster = new Cluster(1);
  await cluster.create("default/a");
  await cluster.create("default/b");
  const informer = new SharedInformer<ConfigMap>({
    listerWatcher: cluster.source(),
    clock: cluster.clock,
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  const options = { clock: cluster.clock };
  const changed = waitFor(informer, "default/a", (map) => map?.data?.["x"] === "1", options);
  const deleted = waitFor(informer, "default/b", isDeleted, options);
  const never = waitFor(informer, "default/c", (map) => map !== undefined, options);
  await cluster.clock.advance(1000);
  await cluster.update("default/a", { data: { x: "1" } });
  await cluster.delete("default/b");
  await cluster.clock.advance(1000);
  expect((await changed)?.data).toEqual({ x: "1" });
  expect(await deleted).toBeUndefined();
  const failure = never.catch((error: unknown) => String(error));
  stop.abort();
  await cluster.clock.advance(0);
  await running;
  expect(await failure).toContain(
    "default/c is not as the condition wants it: the informer has stopped; last seen: it does not exist",
  );
});

test("a wait that ends before the informer has synced reports why it has not", async () => {
  const cluster = new Cluster();
  await using informer = informerOf(cluster);
  const wait = () =>
    failureOf(waitFor(informer, "default/a", isReady, { clock: cluster.clock, timeoutMs: 5000 }));
  const forgotten = wait();
  await cluster.clock.advance(5000);
  expect(await forgotten).toMatchObject({
    name: "WaitError",
    message:
      "default/a is not ready: not within 5 s; never seen: the informer has not synced, not started",
  });
  cluster.api.control.faults.add({
    match: { resource: "configmaps" },
    action: { type: "status", status: { code: 403 } },
    times: Infinity,
  });
  void informer.run();
  const refused = wait();
  await cluster.clock.advance(5000);
  expect(String(await refused)).toMatch(
    /not within 5 s; never seen: the informer has not synced, 403 Forbidden: .+ attempts in 5 s\)$/,
  );
  const stopped = wait();
  await informer[Symbol.asyncDispose]();
  await cluster.clock.advance(0);
  expect(await stopped).toMatchObject({ name: "NotSyncedError" });
});
