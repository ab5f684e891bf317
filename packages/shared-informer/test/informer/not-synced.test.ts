import { StatusError } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { InformerView, NotSyncedError, waitForCacheSync } from "../../src/index.ts";
import { Cluster, failureOf, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

/** A cluster that answers all lists and watches with 403. */
function createForbidden(): Cluster {
  const cluster = new Cluster();
  cluster.api.control.faults.add({
    match: { resource: "configmaps" },
    action: { type: "status", status: { code: 403 } },
    times: Infinity,
  });
  return cluster;
}

const timeLimit = (): unknown => new DOMException("The operation timed out", "TimeoutError");

describe("a wait for caches that ends too early", () => {
  test("reports for each informer and handler what prevents its sync, and since when (WAI-3)", async () => {
    const cluster = createForbidden();
    const { clock } = cluster;
    await using forbidden = informerOf(cluster, { name: "pods" });
    await using idle = informerOf(cluster, { name: "secrets" });
    const view = new InformerView<ConfigMap>([idle], { clock, name: "view" });
    const ended = Promise.all([forbidden.run(), view.run()]);
    const handler = forbidden.addEventHandler({}, { name: "handler" });
    const stop = new AbortController();
    const waiting = failureOf(
      waitForCacheSync([forbidden, idle, view, handler], { signal: stop.signal }),
    );
    await clock.advance(41_000);
    stop.abort(timeLimit());
    const error = await waiting;
    expect(error).toBeInstanceOf(NotSyncedError);
    expect(error).toMatchObject({ names: ["handler", "pods", "secrets", "view"] });
    const [ofHandler, ofPods, ofSecrets, ofView] = (error as NotSyncedError).message
      .replace("Cannot sync ", "")
      .split("; ");
    expect(ofPods).toMatch(/^pods: 403 Forbidden: .+ \(\d+ attempts in 41 s\)$/);
    expect(ofHandler).toBe(`handler: ${ofPods}`);
    expect(ofSecrets).toBe("secrets: not started");
    expect(ofView).toBe("view: waiting for secrets (not started), 41 s after the start");
    const { cause, unsynced } = error as NotSyncedError;
    expect(cause).toBeInstanceOf(StatusError);
    expect(unsynced[1]).toMatchObject({ name: "pods", error: cause });
    await Promise.all([forbidden, idle, view].map((one) => one[Symbol.asyncDispose]()));
    await ended;
  });

  test("has the caller's reason as the cause, not its own time limit", async () => {
    const cluster = new Cluster();
    cluster.api.control.faults.add({ action: { type: "blackhole" }, times: Infinity });
    await using informer = informerOf(cluster, { name: "pods", list: { watchList: false } });
    void informer.run();
    await cluster.clock.advance(5000);
    for (const [reason, cause] of [
      [timeLimit(), undefined],
      [new Error("no more"), new Error("no more")],
    ]) {
      const error = await failureOf(
        waitForCacheSync([informer], { signal: AbortSignal.abort(reason) }),
      );
      expect(error).toMatchObject({
        message: "Cannot sync pods: reading the list, 5 s after the start",
      });
      expect((error as NotSyncedError).cause).toEqual(cause);
    }
  });

  test("reports why an informer has ended, now and later", async () => {
    const cluster = createForbidden();
    const informer = informerOf(cluster, { name: "pods", onError: () => "stop" });
    const waiting = failureOf(waitForCacheSync([informer]));
    const failure = await failureOf(informer.run());
    for (const error of [await waiting, await failureOf(waitForCacheSync([informer]))]) {
      expect(error).toMatchObject({ names: ["pods"], cause: failure });
      expect((error as Error).message).toMatch(/^Cannot sync pods: 403 Forbidden: /);
    }
  });

  test("reports the failure of an informer before it was stopped", async () => {
    const cluster = createForbidden();
    const informer = informerOf(cluster, { name: "pods" });
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    await cluster.clock.advance(3000);
    stop.abort(timeLimit());
    const error = await failureOf(informer.synced);
    expect((error as Error).message).toMatch(
      /^Cannot sync pods: stopped; before: 403 Forbidden: .* \(\d+ attempts in 3 s\)$/,
    );
    expect((error as Error).cause).toBeInstanceOf(StatusError);
    await ended;
  });

  test("reports that a handler has not processed the first list", async () => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(`shop/${name}`);
    await using informer = informerOf(cluster);
    const never = Promise.withResolvers<void>();
    const handler = informer.addEventHandler({ onAdd: () => never.promise }, { name: "slow" });
    void informer.run();
    await informer.synced;
    await cluster.clock.settle();
    const error = await failureOf(waitForCacheSync([handler], { signal: AbortSignal.abort() }));
    expect((error as Error).message).toBe(
      "Cannot sync slow: processing the first list, 2 events of which wait",
    );
    const removed = handler.remove();
    never.resolve();
    await removed;
    expect((await failureOf(handler.synced)) as Error).toMatchObject({
      message: "Cannot sync slow: ended before it had processed the first list",
    });
  });
});
