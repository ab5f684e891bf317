import { failureKindOf } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { ProcessorListener, waitForCacheSync, type ResourceEventHandler } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf, recorder } from "../support/informer.ts";

class Auditor implements ResourceEventHandler<ConfigMap> {
  onAdd(): void {}
}

/** A handler whose calls last until `release`. */
function createSlowHandler(): ResourceEventHandler<ConfigMap> & { readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { onAdd: () => promise, release: resolve };
}

describe("the handlers of an informer", () => {
  test("have the name of their options or class, or a number, in status and failures (SI-27)", async () => {
    await using informer = informerOf(new Cluster());
    const registrations = [
      informer.addEventHandler(new Auditor(), { name: "audit" }),
      informer.addEventHandler(new Auditor()),
      informer.addEventHandler({}),
      informer.addEventHandler({}),
    ];
    const names = ["audit", "Auditor", "handler-3", "handler-4"];
    expect(registrations.map(({ name }) => name)).toEqual(names);
    expect(informer.status().handlers.map(({ name }) => name)).toEqual(names);
    const waiting = waitForCacheSync(registrations, { signal: AbortSignal.abort() });
    await expect(waiting).rejects.toMatchObject({ names: names.toSorted() });
  });

  test("are registered once, with one add of each object, when their mailbox is added twice", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const calls: string[] = [];
    const mailbox = new ProcessorListener<ConfigMap>({
      onAdd: ({ metadata }) => void calls.push(metadata.name),
    });
    informer.addListener(mailbox);
    informer.addListener(mailbox);
    await cluster.create("shop/b");
    await cluster.clock.settle();
    expect(calls).toEqual(["a", "b"]);
    expect(informer.status().handlers).toHaveLength(1);
  });

  test("are kept until they are removed or the informer has stopped (SI-16)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const informer = informerOf(cluster);
    const names = (): string[] => informer.status().handlers.map(({ name }) => name);
    const removed = informer.addEventHandler({}, { name: "removed" });
    informer.addEventHandler({}, { name: "quick" });
    const slow = createSlowHandler();
    informer.addEventHandler(slow, { name: "slow" });
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    await informer.synced;
    await cluster.clock.settle();
    expect(names()).toEqual(["removed", "quick", "slow"]);
    await removed.remove();
    expect(names()).toEqual(["quick", "slow"]);
    stop.abort();
    await cluster.clock.settle();
    expect(informer.phase).toBe("stopping");
    expect(names()).toContain("slow");
    slow.release();
    await ended;
    expect(names()).toEqual([]);
    await removed.remove();
    expect(informer.store.listKeys()).toEqual(["shop/a"]);
  });

  test("receive frozen objects with `freeze`: a handler that changes one fails and is named (SI-28)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a", { data: { n: "1" } });
    const failures: unknown[] = [];
    await using informer = informerOf(cluster, {
      cache: { freeze: true },
      onError: (error, origin) => {
        failures.push([failureKindOf(error), origin.kind === "handler" && origin.handler]);
      },
    });
    const change = ({ metadata }: object & { metadata: object }): unknown =>
      Object.assign(metadata, { name: "changed" });
    const calls: string[] = [];
    informer.addEventHandler(
      { onAdd: change, onUpdate: (_, object) => change(object) },
      { name: "careless" },
    );
    informer.addEventHandler(recorder(calls));
    void informer.run();
    await informer.synced;
    await cluster.update("shop/a", { data: { n: "2" } });
    await cluster.clock.settle();
    expect(failures).toEqual([
      ["LW_CACHED_OBJECT_CHANGED", "careless"],
      ["LW_CACHED_OBJECT_CHANGED", "careless"],
    ]);
    expect(calls).toEqual(["add a initially", "update a 1 2"]);
    expect(informer.store.list().map(({ metadata }) => metadata.name)).toEqual(["a"]);
  });

  test("receive every object once, even if they are added while changes arrive (SI-29)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/first");
    await using informer = informerOf(cluster);
    void informer.run();
    await informer.synced;
    const seen: string[][] = [];
    for (let round = 0; round < 20; round++) {
      const creating = cluster.create(`shop/a${round}`);
      for (let turn = 0; turn < 10; turn++) {
        const mine: string[] = [];
        seen.push(mine);
        const { backlog } = informer.addEventHandler({
          onAdd: ({ metadata }) => mine.push(metadata.name),
        });
        expect(backlog).toBe(informer.store.listKeys().length);
        await Promise.resolve();
      }
      await creating;
    }
    await cluster.clock.settle();
    const names = informer.store.list().map(({ metadata }) => metadata.name);
    expect(names).toHaveLength(21);
    for (const mine of seen) expect(mine.toSorted()).toEqual(names.toSorted());
  });

  test("that never return block neither cache nor queue nor each other (SI-30)", async () => {
    const cluster = new Cluster();
    await using informer = informerOf(cluster);
    const slow = createSlowHandler();
    informer.addEventHandler(slow, { name: "slow" });
    const calls: string[] = [];
    informer.addEventHandler(recorder(calls), { name: "quick" });
    void informer.run();
    await informer.synced;
    for (const name of ["a", "b", "c"]) await cluster.create(`shop/${name}`);
    await cluster.clock.settle();
    const sinceMs = cluster.clock.now();
    await cluster.clock.advance(5000);
    expect(informer.store.listKeys()).toEqual(["shop/a", "shop/b", "shop/c"]);
    expect(informer.status()).toMatchObject({
      queuedDeltas: 0,
      handlers: [
        { name: "slow", backlog: 2, callbackSinceMs: sinceMs },
        { name: "quick", backlog: 0, callbackSinceMs: undefined },
      ],
    });
    expect(calls).toEqual(["add a", "add b", "add c"]);
    slow.release();
    await cluster.clock.settle();
    const status = informer.status().handlers[0];
    expect(status).toEqual({ name: "slow", backlog: 0, callbackSinceMs: undefined });
  });
});
