import { silentLog } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { SharedInformer } from "../../src/index.ts";
import { metricsSink } from "../support/metrics-sink.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

/** Sums of counters, and last values of others, by name and label. */
class Recorded {
  readonly values: Record<string, number> = {};
  readonly sink = metricsSink(({ labels, name, value }) => {
    const { handler } = labels;
    const key = handler === undefined ? name : `${name} of ${handler}`;
    const isCounter = name.endsWith("_total");
    this.values[key] = isCounter ? (this.values[key] ?? 0) + value : value;
  });
}

describe("the metrics of an informer", () => {
  test("show resourceVersion, queue, latency, backlogs, and the repairs of a relist (ID-3)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    await cluster.create("shop/b");
    const recorded = new Recorded();
    await using informer = new SharedInformer<ConfigMap>({
      listerWatcher: cluster.source(),
      clock: cluster.clock,
      random: cluster.random,
      list: { watchList: false },
      telemetry: { log: silentLog, metrics: recorded.sink },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    informer.addEventHandler({ onAdd: () => promise }, { name: "slow" });
    void informer.run();
    await informer.synced;
    const { metadata } = await cluster.create("shop/c");
    await cluster.clock.settle();
    expect(recorded.values).toMatchObject({
      reflector_lists_total: 1,
      informer_queued_items: 0,
      informer_processing_latency_seconds: 0,
      informer_store_resource_version: Number(metadata.resourceVersion),
      "informer_handler_backlog of slow": 2,
    });
    expect(recorded.values).not.toHaveProperty("informer_drifted_objects_total");

    cluster.api.control.shutdown();
    await cluster.clock.settle();
    cluster.api.control.start();
    await cluster.delete("shop/a");
    await cluster.update("shop/b", { data: { n: "1" } });
    await cluster.create("shop/d");
    cluster.api.control.compact();
    await cluster.clock.advance(120_000);
    expect(recorded.values["informer_drifted_objects_total"]).toBe(3);
    expect(recorded.values["reflector_lists_total"]).toBeGreaterThan(1);
    resolve();
  });

  test("show no backlog when a handler or a stream has caught up, and when it has ended (ID-3)", async () => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(`shop/${name}`);
    const shown: Record<string, number[]> = {};
    const metrics = metricsSink(({ labels: { handler }, value }) => {
      if (handler !== undefined) (shown[handler] ??= []).push(value);
    });
    const informer = informerOf(cluster, { telemetry: { log: silentLog, metrics } });
    let gate = Promise.withResolvers<void>();
    informer.addEventHandler({ onAdd: () => gate.promise }, { name: "slow" });
    informer.addEventHandler({}, { name: "quick" });
    const events = informer.events({ name: "reader" });
    const read = events.next();
    const running = informer.run();
    await cluster.clock.settle();
    await read;
    expect(shown).toEqual({ slow: [3], quick: [3, 0], reader: [0, 2] });
    gate.resolve();
    for (let count = 0; count < 2; count++) await events.next();
    const more = events.next();
    await cluster.clock.settle();
    expect(shown).toEqual({ slow: [3, 0], quick: [3, 0], reader: [0, 2, 0] });
    gate = Promise.withResolvers();
    for (const name of ["d", "e"]) await cluster.create(`shop/${name}`);
    await cluster.clock.settle();
    await more;
    expect([shown["slow"]?.at(-1), shown["reader"]?.at(-1)]).toEqual([1, 1]);
    const ended = informer[Symbol.asyncDispose]();
    gate.resolve();
    await Promise.all([ended, running]);
    expect(Object.values(shown).map((values) => values.at(-1))).toEqual([0, 0, 0]);
  });

  test("show pending changes as they arrive, even while the queue is not read (ID-3)", async () => {
    const cluster = new Cluster();
    const values: number[] = [];
    await using informer = new SharedInformer<ConfigMap>({
      listerWatcher: cluster.source(),
      clock: cluster.clock,
      random: cluster.random,
      telemetry: {
        log: silentLog,
        metrics: metricsSink(({ name, value }) => {
          if (name === "informer_queued_items") values.push(value);
        }),
      },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    informer.addEventHandler({ onAdd: () => promise }, { maxBacklog: 0 });
    void informer.run();
    await informer.synced;
    const waiting: { readonly shown: number | undefined; readonly queued: number }[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      await cluster.create(`shop/${name}`);
      await cluster.clock.settle();
      waiting.push({ shown: values.at(-1), queued: informer.status().queuedDeltas });
    }
    resolve();
    await cluster.clock.settle();
    waiting.push({ shown: values.at(-1), queued: informer.status().queuedDeltas });
    expect(waiting).toEqual([0, 1, 2, 3, 0].map((count) => ({ shown: count, queued: count })));
  });

  test("keep the last 15 digits of a resourceVersion, are 0 without one, and ignore one that is not a number (STO-18)", async () => {
    for (const [resourceVersion, expected] of [
      ["12345678901234567890", 678_901_234_567_890],
      ["", 0],
      ["opaque", undefined],
    ] as const) {
      const recorded = new Recorded();
      await using informer = new SharedInformer({
        listerWatcher: {
          watchListSupported: false,
          list: async () => ({ metadata: { resourceVersion }, items: [] }),
          watch: async (_, { signal }) => ({
            async *[Symbol.asyncIterator]() {
              await new Promise((resolve) => signal.addEventListener("abort", resolve));
              yield [];
            },
          }),
        },
        telemetry: { log: silentLog, metrics: recorded.sink },
      });
      void informer.run();
      await informer.synced;
      expect(recorded.values["informer_store_resource_version"]).toBe(expected);
    }
  });

  test("that throw are reported and have no other effect", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const fail = (): never => {
      throw new Error("cannot count");
    };
    const origins = new Set<string>();
    const informer = new SharedInformer<ConfigMap>({
      listerWatcher: cluster.source(),
      clock: cluster.clock,
      random: cluster.random,
      list: { watchList: false },
      telemetry: { log: silentLog, metrics: metricsSink(fail) },
      onError: (error, { kind }) => void origins.add(`${kind}: ${String(error)}`),
    });
    informer.addEventHandler({});
    const stop = new AbortController();
    const ended = informer.run(stop.signal);
    await informer.synced;
    await cluster.create("shop/b");
    await cluster.clock.settle();
    expect(informer.store.listKeys()).toEqual(["shop/a", "shop/b"]);
    expect([...origins]).toEqual(["metrics: Error: cannot count"]);
    expect(cluster.clock.now()).toBe(Date.UTC(2026, 0, 1));
    stop.abort();
    await expect(ended).resolves.toBeUndefined();
  });
});
