import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InvalidOptionsError, silentLog, sleep } from "@listwatch/core-fifo";
import { Controller, type ControllerOptions, type SourceOptions } from "@listwatch/controller";
import type { ListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { lowPriority } from "@listwatch/workqueue";
import { Cluster, configMap, configMapReference, type ConfigMap } from "../support/cluster.ts";
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

interface Reconciled {
  readonly key: string;
  readonly priority: number | undefined;
}

/** Runs a controller and records the priority with which each key left the queue. */
async function record(
  informer: SharedInformer<ConfigMap>,
  options: SourceOptions<ConfigMap> = {},
): Promise<Reconciled[]> {
  const reconciled: Reconciled[] = [];
  const controller: Controller = new Controller({
    clock: cluster.clock,
    reconcile: (key) => {
      reconciled.push({ key, priority: controller.queue.priorityOf(key) });
    },
  });
  void controller.for(informer, options).run(stop.signal);
  await cluster.clock.advance(100);
  return reconciled;
}

/** A source of one object, followed by an update of it. */
function sourceOf(object: ConfigMap, update: ConfigMap): ListerWatcher<ConfigMap> {
  return {
    watchListSupported: false,
    list: async () => ({ metadata: { resourceVersion: "5" }, items: [object] }),
    watch: async (_, context) => ({
      async *[Symbol.asyncIterator]() {
        await sleep(200, { clock: cluster.clock, signal: context?.signal });
        yield { type: "MODIFIED", object: update } as const;
        await sleep(1e9, { clock: cluster.clock, signal: context?.signal });
      },
    }),
  };
}

async function prioritiesOfUpdate(object: ConfigMap, update: ConfigMap): Promise<unknown[]> {
  const informer = new SharedInformer({
    clock: cluster.clock,
    listerWatcher: sourceOf(object, update),
  });
  void informer.run(stop.signal);
  const reconciled = await record(informer);
  await cluster.clock.advance(200);
  return reconciled.map(({ priority }) => priority);
}

describe("Changes", () => {
  const metadata = { name: "a", namespace: "default", uid: "1", resourceVersion: "5" };

  test("whose resourceVersions are equal have low priority, whether or not the object is the same", async () => {
    const priorities = await prioritiesOfUpdate({ metadata }, { metadata: { ...metadata } });
    expect(priorities).toEqual([lowPriority, lowPriority]);
  });

  test.each([
    { ...metadata, resourceVersion: "6" },
    { name: "a", namespace: "default", uid: "1" },
  ])("of the version, or to an unknown one, have normal priority: %j", async (changed) => {
    const priorities = await prioritiesOfUpdate({ metadata }, { metadata: changed });
    expect(priorities).toEqual([lowPriority, 0]);
  });

  test("to another object of the name are a deletion and a creation of normal priority", async () => {
    const priorities = await prioritiesOfUpdate(
      { metadata },
      { metadata: { ...metadata, uid: "2" } },
    );
    expect(priorities).toEqual([lowPriority, 0, 0]);
  });

  test("by a relist of unchanged objects have low priority", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const informer = runInformer(cluster, stop.signal, silentLog);
    const reconciled = await record(informer);
    cluster.api.control.faults.add({
      match: { verb: "watch", query: { sendInitialEvents: null } },
      action: { type: "status", status: { code: 410, reason: "Expired" } },
    });
    cluster.api.control.watches.end();
    await cluster.clock.advance(120_000);
    expect(reconciled.length).toBeGreaterThan(1);
    expect(new Set(reconciled.map(({ priority }) => priority))).toEqual(new Set([lowPriority]));
  });

  test("have the priority that the option of their source returns", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const seen: unknown[] = [];
    const reconciled = await record(runInformer(cluster, stop.signal), {
      priority: (object, usual) => {
        seen.push([object?.metadata.name, usual]);
        return object?.data?.["tier"] === "gold" ? 1000 : usual - 0.5;
      },
    });
    await cluster.configMaps.patch("default/a", { data: { tier: "gold" } });
    await cluster.clock.advance(10);
    await cluster.configMaps.delete("default/a");
    await cluster.clock.advance(10);
    expect(seen).toEqual([
      ["a", lowPriority],
      ["a", 0],
      ["a", 0],
    ]);
    expect(reconciled.map(({ priority }) => priority)).toEqual([lowPriority - 0.5, 1000, 1000]);
  });

  test("all have the priority of their source if that is a number", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const reconciled = await record(runInformer(cluster, stop.signal), { priority: 7 });
    expect(reconciled).toEqual([{ key: "default/a", priority: 7 }]);
  });

  test.each([Number.NaN, "high"])("reject the priority %s", (value) => {
    const options: { priority: number } = { priority: 0 };
    Object.assign(options, { priority: value });
    const controller = new Controller({ clock: cluster.clock, reconcile: () => {} });
    expect(() => controller.for(runInformer(cluster, stop.signal), options)).toThrow(
      /Cannot use the option priority: expected a number or a function/,
    );
  });

  test("are not lost when the priority function fails: they have the default priority", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    await cluster.configMaps.create(configMap("default/b"));
    const errors: unknown[] = [];
    const informer = new SharedInformer<ConfigMap>({
      clock: cluster.clock,
      listerWatcher: cluster.source(),
      onError: (error) => void errors.push(error),
    });
    void informer.run(stop.signal);
    const reconciled = await record(informer, {
      priority: ({ metadata: { name } } = configMap("default/none")) => {
        if (name === "a") return Number.NaN;
        throw new Error("not known");
      },
    });
    expect(reconciled).toEqual([
      { key: "default/a", priority: lowPriority },
      { key: "default/b", priority: lowPriority },
    ]);
    expect(errors).toHaveLength(2);
  });
});

describe("A key", () => {
  type Options = Pick<ControllerOptions, "reconcile" | "onError">;

  async function prioritiesOf(
    reconcile: Options["reconcile"],
    options: Omit<Options, "reconcile"> = {},
  ): Promise<unknown[]> {
    const priorities: unknown[] = [];
    const controller: Controller = new Controller({
      clock: cluster.clock,
      telemetry: { log: silentLog },
      ...options,
      reconcile: (key, context) => {
        priorities.push(controller.queue.priorityOf(key));
        return reconcile(key, context);
      },
    });
    controller.queue.add("default/a", { priority: 7 });
    void controller.run(stop.signal);
    await cluster.clock.advance(2000);
    return priorities;
  }

  test("keeps its priority when it is requeued with requeueAfterMs", async () => {
    let left = 2;
    expect(await prioritiesOf(() => (left-- > 0 ? { requeueAfterMs: 100 } : {}))).toEqual([
      7, 7, 7,
    ]);
  });

  test("keeps its priority after a failure", async () => {
    let left = 2;
    const priorities = await prioritiesOf(() => {
      if (left-- > 0) throw new Error("not yet");
    });
    expect(priorities).toEqual([7, 7, 7]);
  });

  test("waits with the priority that its reconcile requests", async () => {
    let left = 1;
    const priorities = await prioritiesOf(() =>
      left-- > 0 ? { requeueAfterMs: 100, priority: -1 } : {},
    );
    expect(priorities).toEqual([7, -1]);
  });

  test("keeps its priority while it is held back for the caches", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const informer = runInformer(cluster, stop.signal);
    await cluster.clock.advance(10);
    cluster.api.control.watches.list().forEach((watch) => watch.stall());
    let left = 2;
    const priorities: unknown[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      telemetry: { log: silentLog },
      client: cluster.client,
      informer,
      limits: { readYourWritesTimeoutMs: 1000 },
      reconcile: async (key, { client }) => {
        priorities.push(controller.queue.priorityOf(key));
        const data = { left: String(left) };
        await client.resource<ConfigMap>(configMapReference).patch(key, { data });
        return left-- > 0 ? { requeueAfterMs: 100 } : {};
      },
    });
    controller.queue.add("default/a", { priority: 7 });
    void controller.run(stop.signal);
    await cluster.clock.advance(5000);
    expect(priorities).toEqual([7, 7, 7]);
  });

  test.each([{ requeueAfterMs: Number.NaN }, { requeueAfterMs: 1, priority: Number.NaN }])(
    "whose reconcile returns %j counts as failed, and is retried with growing delays",
    async (result) => {
      const errors: unknown[] = [];
      const priorities = await prioritiesOf(() => result, {
        onError: (error) => errors.push(error),
      });
      expect(errors[0]).toBeInstanceOf(InvalidOptionsError);
      expect(priorities.length).toBeLessThan(12);
      expect(new Set(priorities)).toEqual(new Set([7]));
    },
  );
});
