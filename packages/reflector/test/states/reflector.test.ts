import { DeltaFIFO, RealFIFO } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { Reflector, type ListerWatcher, type ReflectorTrace } from "@listwatch/reflector";
import { describe, expect, expectTypeOf, test } from "vitest";
import { metricsSink } from "../support/metrics-sink.ts";
import { Cluster, versionsOf, type ConfigMap } from "../support/cluster.ts";
import { MapStore, start } from "../support/running.ts";

describe("a reflector", () => {
  test("fills a store from a streamed list, and follows every change (REF-22 to REF-24, REF-28)", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    await cluster.create("b");
    const { store, reflector, stop } = await start(cluster.clock, cluster.source());
    expect(store.state()).toEqual(await cluster.state());
    await cluster.create("c");
    await cluster.update("a", { data: { x: "1" } });
    await cluster.delete("b");
    await cluster.clock.settle();
    expect(store.state()).toEqual(await cluster.state());
    expect(store.calls.slice(1)).toEqual(["add default/c", "update default/a", "delete default/b"]);
    expect(cluster.requests()).toEqual(['watch-list ""']);
    expect(reflector.status()).toMatchObject({ phase: "watching", synced: true, attempts: 0 });
    await stop();
    expect(reflector.status()).toMatchObject({ phase: "stopped", synced: true });
  });

  test("lists and then watches when streamed lists are disabled (REF-10, REF-11, LW-1)", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const source = cluster.source({ watchListSupported: false });
    const { store, reflector, stop } = await start(cluster.clock, source);
    const version = reflector.lastSyncResourceVersion;
    expect(cluster.requests()).toEqual(["list 0 limit 500", `watch ${version}`]);
    await cluster.create("b");
    await cluster.clock.settle();
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("creates objects of one shape from lists and watches", async () => {
    const cluster = new Cluster();
    await cluster.create("a", { data: { x: "1" } });
    const source = cluster.source({ watchListSupported: false });
    const { store, stop } = await start(cluster.clock, source);
    await cluster.create("b", { data: { x: "1" } });
    await cluster.clock.settle();
    const [listed, watched] = [...store.objects.values()];
    expect(listed).toMatchObject({ kind: "ConfigMap", apiVersion: "v1" });
    expect(Object.keys(listed ?? {})).toEqual(Object.keys(watched ?? {}));
    await stop();
  });

  test("resumes from the last resourceVersion when the server ends the watch (REF-32)", async () => {
    const cluster = new Cluster();
    const { store, reflector, stop } = await start(cluster.clock, cluster.source());
    await cluster.create("a");
    await cluster.clock.settle();
    const version = reflector.lastSyncResourceVersion;
    cluster.api.control.watches.end();
    await cluster.create("b");
    await cluster.clock.settle();
    expect(cluster.requests().slice(1)).toEqual([`watch ${version}`]);
    expect(store.state()).toEqual(await cluster.state());
    expect(store.calls.slice(1)).toEqual(["add default/a", "add default/b"]);
    await stop();
  });

  test("relists after a delay when its history has expired (REF-36)", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const { store, errors, stop } = await start(cluster.clock, cluster.source());
    cluster.api.control.watches.end();
    cluster.api.control.compact();
    await cluster.delete("a");
    await cluster.create("b");
    cluster.api.control.compact();
    await cluster.clock.advance(1600);
    expect(store.state()).toEqual(await cluster.state());
    expect(errors).toMatchObject([{ operation: "watch", recovery: "relist" }]);
    await stop();
  });

  test("resumes from its resourceVersion when it is run again", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const { reflector, store, stop } = await start(cluster.clock, cluster.source());
    await stop();
    const version = reflector.lastSyncResourceVersion;
    await cluster.create("b");
    const controller = new AbortController();
    const ended = reflector.run(controller.signal);
    await cluster.clock.settle();
    expect(cluster.requests()).toEqual(['watch-list ""', `watch-list ${version}`]);
    expect(store.state()).toEqual(await cluster.state());
    controller.abort();
    await ended;
  });

  test("runs once at a time", async () => {
    const cluster = new Cluster();
    const { reflector, stop } = await start(cluster.clock, cluster.source());
    await expect(reflector.run()).rejects.toMatchObject({ code: "LW_ALREADY_RUNNING" });
    await stop();
  });

  test("stops on disposal, which does nothing when it does not run", async () => {
    const cluster = new Cluster();
    const { reflector, ended } = await start(cluster.clock, cluster.source());
    await reflector[Symbol.asyncDispose]();
    await ended;
    await reflector[Symbol.asyncDispose]();
    expect(cluster.api.control.watches.list()).toEqual([]);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("makes no request when it is stopped before it is run (REF-38)", async () => {
    const cluster = new Cluster();
    const store = new MapStore();
    const reflector = new Reflector({ listerWatcher: cluster.source(), store });
    await reflector.run(AbortSignal.abort());
    expect(cluster.requests()).toEqual([]);
  });

  test("continues when onTrace throws, and reports it", async () => {
    const cluster = new Cluster();
    const { reflector, store, errors, stop } = await start(cluster.clock, cluster.source(), {
      onTrace: () => {
        throw new Error("no disk");
      },
    });
    cluster.api.control.watches.reset();
    await cluster.create("a");
    await cluster.clock.advance(60_000);
    expect(Object.keys(store.state())).toEqual(["default/a"]);
    expect(reflector.status()).toMatchObject({ phase: "watching", attempts: 0 });
    expect(errors).toContainEqual(
      expect.objectContaining({
        operation: "trace",
        recovery: "skip",
        error: expect.objectContaining({ message: "no disk" }),
      }),
    );
    await stop();
  });

  test("does not set the metric to a resourceVersion that is not a number", async () => {
    const cluster = new Cluster();
    const source = cluster.source({ watchListSupported: false });
    const values: number[] = [];
    const { reflector, stop } = await start(
      cluster.clock,
      {
        watchListSupported: false,
        list: async () => ({ metadata: { resourceVersion: "abc" }, items: [] }),
        watch: source.watch.bind(source),
      },
      {
        metrics: metricsSink(({ name, value }) => {
          if (name === "reflector_last_resource_version") values.push(value);
        }),
      },
    );
    expect(reflector.lastSyncResourceVersion).toBe("abc");
    expect(values).toEqual([]);
    await stop();
  });

  test("resolves when a resourceVersion has been reached", async () => {
    const cluster = new Cluster();
    const { reflector, stop } = await start(cluster.clock, cluster.source());
    const order: string[] = [];
    const next = String(Number(reflector.lastSyncResourceVersion) + 1);
    const reached = reflector.waitForResourceVersion(next).then(() => order.push("reached"));
    const controller = new AbortController();
    const later = reflector.waitForResourceVersion("99999999999999999999", controller);
    await cluster.clock.settle();
    expect(order).toEqual([]);
    await cluster.create("a");
    await reached;
    await reflector.waitForResourceVersion("1");
    controller.abort(new Error("enough"));
    await expect(later).rejects.toThrow("enough");
    await expect(reflector.waitForResourceVersion("none")).rejects.toMatchObject({
      code: "LW_RESOURCE_VERSION",
    });
    await stop();
  });

  test("resyncs everything, period by period, while it watches (REF-42)", async () => {
    const cluster = new Cluster();
    let wanted = true;
    const { store, stop } = await start(cluster.clock, cluster.source(), {
      watch: { resyncMs: 10_000, shouldResync: () => wanted },
    });
    await cluster.clock.advance(25_000);
    expect(store.calls.filter((call) => call === "resync")).toHaveLength(2);
    wanted = false;
    await cluster.clock.advance(20_000);
    expect(store.calls.filter((call) => call === "resync")).toHaveLength(2);
    await stop();
  });

  test("reports its work in traces and metrics", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const traces: ReflectorTrace[] = [];
    const calls: Record<string, number[]> = {};
    const { reflector, stop } = await start(
      cluster.clock,
      cluster.source({ watchListSupported: false }),
      {
        name: "config maps",
        onTrace: (trace) => traces.push(trace),
        metrics: metricsSink(({ labels, name, value }) => {
          expect(labels).toEqual({ name: "config maps" });
          (calls[name] ??= []).push(value);
        }),
      },
    );
    await stop();
    expect(calls).toMatchObject({
      reflector_lists_total: [1],
      reflector_watches_total: [1],
      reflector_items_per_list: [1],
    });
    const versions = calls["reflector_last_resource_version"];
    expect(versions?.at(-1)).toBe(Number(reflector.lastSyncResourceVersion));
    expect(traces.map(({ kind, reflector: name }) => `${name}: ${kind}`)).toEqual([
      "config maps: list",
      "config maps: watchEnded",
    ]);
  });

  test("compares a streamed list with an ordinary one on request", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    await cluster.create("b");
    const honest = await start(cluster.clock, cluster.source(), {
      list: { checkConsistency: true },
    });
    expect(honest.errors).toEqual([]);
    await honest.stop();
    cluster.api.control.illegal.faults.add({
      match: { verb: "watch" },
      action: { type: "dropEvents", match: { name: "b" } },
    });
    const cheated = await start(cluster.clock, cluster.source(), {
      list: { checkConsistency: true },
    });
    expect(cheated.errors).toMatchObject([
      { operation: "check", recovery: "skip", error: { missing: ["default/b"], extra: [] } },
    ]);
    await cheated.stop();
  });

  test("writes into a RealFIFO directly", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const queue = new RealFIFO<ConfigMap>();
    const reflector = new Reflector({
      listerWatcher: cluster.source(),
      store: queue,
      clock: cluster.clock,
    });
    const controller = new AbortController();
    const ended = reflector.run(controller.signal);
    await cluster.clock.settle();
    await queue.pop(([delta]) => {
      expect(delta).toMatchObject({ type: "ReplacedAll", objects: [{ metadata: { name: "a" } }] });
    });
    controller.abort();
    await ended;
  });

  test("accepts any lister-watcher whose lists are documents and whose watches are iterables", async () => {
    const clock = new SimulatedClock();
    const object = (name: string, resourceVersion: string): ConfigMap => ({
      metadata: { name, resourceVersion },
    });
    const source: ListerWatcher<ConfigMap> = {
      watchListSupported: false,
      list: async () => ({ metadata: { resourceVersion: "5" }, items: [object("a", "3")] }),
      watch: async (_, { signal }) =>
        (async function* () {
          yield { type: "ADDED", object: object("b", "6") };
          yield [
            { type: "MODIFIED", object: object("b", "7") },
            { type: "DELETED", object: object("a", "8") },
          ];
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        })(),
    };
    const { store, stop } = await start(clock, source);
    expect(store.state()).toEqual(versionsOf([object("b", "7")]));
    await stop();
  });

  test.each([true, false])(
    "parses all objects of a list after a stop, streamed: %s",
    async (watchListSupported) => {
      const cluster = new Cluster();
      await cluster.create("a");
      await cluster.create("b");
      await cluster.create("c");
      const store = new MapStore();
      const { reflector, stop } = await start(
        cluster.clock,
        cluster.source({ watchListSupported }),
        {
          store,
          list: { held: ({ namespace, name }) => store.objects.get(`${namespace}/${name}`) },
        },
      );
      const before = new Map(store.objects);
      await stop();
      await cluster.update("b", { data: { x: "1" } });
      await cluster.delete("c");
      await cluster.create("c");
      const controller = new AbortController();
      const ended = reflector.run(controller.signal);
      await cluster.clock.settle();
      // The storage may have been restored, and have reached the same versions again.
      for (const [key, object] of store.objects) expect(object).not.toBe(before.get(key));
      expect(store.state()).toEqual(await cluster.state());
      controller.abort();
      await ended;
    },
  );

  test("rejects options out of range", () => {
    const listerWatcher = new Cluster().source();
    const outOfRange = [
      { watch: { resyncMs: -1 } },
      { watch: { silenceMs: 0 } },
      { list: { pageSize: Number.NaN } },
      { retry: { maxRetryAfterMs: -1 } },
    ];
    for (const options of outOfRange) {
      expect(() => new Reflector({ listerWatcher, store: new MapStore(), ...options })).toThrow(
        expect.objectContaining({ code: "LW_INVALID_OPTIONS" }),
      );
    }
  });

  test("infers its object type from the lister-watcher, whatever the store accepts", () => {
    const listerWatcher = new Cluster().source();
    const intoMap = new Reflector({ listerWatcher, store: new MapStore() });
    expectTypeOf(intoMap).toEqualTypeOf<Reflector<ConfigMap>>();
    // A DeltaFIFO also accepts tombstones, which a reflector never produces.
    const intoQueue = new Reflector({ listerWatcher, store: new DeltaFIFO<ConfigMap>() });
    expectTypeOf(intoQueue).toEqualTypeOf<Reflector<ConfigMap>>();
  });
});
