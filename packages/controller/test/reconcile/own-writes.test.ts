import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shardRange, ShardSelector, type Client } from "@listwatch/client";
import { Controller, type ControllerOptions } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import {
  InformerView,
  SharedInformerFactory,
  type SharedInformer,
} from "@listwatch/shared-informer";
import { Cluster, configMap, configMaps, type ConfigMap } from "../support/cluster.ts";

let cluster: Cluster;
let stop: AbortController;
let factory: SharedInformerFactory;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  const { clock, connection } = cluster;
  factory = new SharedInformerFactory({ connection, clock, log: silentLog });
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
});

function labelled(key: string, labels: Readonly<Record<string, string>>): ConfigMap {
  const object = configMap(key);
  return { ...object, metadata: { ...object.metadata, labels } };
}

function stallWatches(): void {
  for (const watch of cluster.api.control.watches.list()) watch.stall();
}

function resumeWatches(): void {
  for (const watch of cluster.api.control.watches.list()) watch.resume();
}

type Name = `${string}/${string}`;
type Reconcile = (key: Name, client: Client, round: number) => unknown;

interface Running {
  /** Times at which reconciles began, in milliseconds since the first. */
  readonly atMs: readonly number[];
  readonly errors: readonly unknown[];
  readonly controller: Controller<ConfigMap>;
}

/** Runs a controller over the config map `default/a`. */
async function run(
  informer: Pick<SharedInformer<ConfigMap>, "run">,
  reconcile: Reconcile,
  options: Partial<ControllerOptions<ConfigMap>> = {},
): Promise<Running> {
  await cluster.configMaps.create(configMap("default/a"));
  factory.start(stop.signal);
  if (informer instanceof InformerView) void informer.run(stop.signal);
  await cluster.clock.advance(100);
  const atMs: number[] = [];
  const errors: unknown[] = [];
  const controller: Controller<ConfigMap> = new Controller<ConfigMap>({
    clock: cluster.clock,
    client: cluster.client,
    // The type of indexes does not matter here.
    ...({ informer } as object),
    telemetry: { log: silentLog },
    onError: (error) => errors.push(error),
    ...options,
    reconcile: async (key, { client }) => {
      atMs.push(cluster.clock.now());
      const [namespace = "", name = ""] = key.split("/");
      await reconcile(`${namespace}/${name}`, client, atMs.length);
    },
  });
  const startMs = cluster.clock.now();
  void controller.run(stop.signal);
  await cluster.clock.advance(1);
  return {
    get atMs() {
      return atMs.map((ms) => ms - startMs);
    },
    errors,
    controller,
  };
}

describe("A read by key in the same reconcile", () => {
  test("shows an update, a create and a delete that the watch has not delivered", async () => {
    const informer = factory.informer(configMaps);
    const seen: unknown[] = [];
    const running = await run(informer, async (key, client, round) => {
      if (round > 1) return;
      stallWatches();
      const maps = client.resource(configMaps);
      await maps.patch(key, { data: { x: "1" } });
      seen.push(informer.store.getByKey(key)?.data);
      await maps.create(configMap("default/b"));
      seen.push(informer.lister.get("default/b").metadata.name, informer.store.has("default/b"));
      await maps.delete("default/b");
      seen.push(informer.lister.find("default/b"));
      await maps.delete(key);
      seen.push(informer.lister.namespace("default").find("a"));
    });
    expect(running.errors).toEqual([]);
    expect(seen).toEqual([{ x: "1" }, "b", true, undefined, undefined]);
    resumeWatches();
    await cluster.clock.advance(100);
    expect(informer.store.listKeys()).toEqual([]);
    expect(informer.store.getByKey("default/a")).toBeUndefined();
  });

  test("shows an object whose name the server has generated", async () => {
    const informer = factory.informer(configMaps);
    let name = "";
    await run(informer, async (_, client, round) => {
      if (round > 1) return;
      stallWatches();
      const metadata = { namespace: "default", generateName: "child-" } as never;
      const { metadata: written } = await client.resource(configMaps).create({ metadata });
      name = written.name;
    });
    expect(name).toMatch(/^child-/);
    expect(informer.store.getByKey(`default/${name}`)?.metadata.name).toBe(name);
  });

  test("shows what the cache will contain: selected, transformed, reduced and frozen", async () => {
    const transformed = factory.informer(configMaps, {
      cache: {
        keep: ({ data }) => data?.["secret"] === undefined,
        transform: (object) => ({ ...object, data: { ...object.data, seen: "yes" } }),
        freeze: true,
      },
    });
    const seen: unknown[] = [];
    await run(transformed, async (key, client, round) => {
      if (round > 1) return;
      stallWatches();
      const maps = client.resource(configMaps);
      const answer = await maps.patch(key, { data: { x: "1" } });
      Object.assign(answer, { data: "changed by the caller" });
      const shown = transformed.store.getByKey(key);
      seen.push(shown?.data, Object.isFrozen(shown?.data));
      await maps.patch(key, { data: { secret: "1" } });
      seen.push(transformed.store.getByKey(key));
    });
    expect(seen).toEqual([{ x: "1", seen: "yes" }, true, undefined]);
  });

  test("shows the kept fields only", async () => {
    const reduced = factory.informer(configMaps, { fields: ["data.x"] });
    let shown: unknown;
    await run(reduced, async (key, client, round) => {
      if (round > 1) return;
      stallWatches();
      await client.resource(configMaps).patch(key, { data: { x: "1", y: "2" } });
      shown = reduced.store.getByKey(key);
    });
    expect(shown).toMatchObject({ data: { x: "1" }, metadata: { name: "a" } });
    expect(Object.keys((shown as ConfigMap).data ?? {})).toEqual(["x"]);
  });

  test("shows no dry run, no write of another client, and no write of another controller's cache", async () => {
    const informer = factory.informer(configMaps);
    const seen: unknown[] = [];
    await run(informer, async (key, client, round) => {
      if (round > 1) return;
      stallWatches();
      await client.resource(configMaps).patch(key, { data: { x: "1" } }, { dryRun: true });
      seen.push(informer.store.getByKey(key)?.data);
      await cluster.configMaps.patch(key, { data: { x: "2" } });
      seen.push(informer.store.getByKey(key)?.data);
    });
    expect(seen).toEqual([undefined, undefined]);
  });

  test("shows the write in a view of the informer, if the view selects it", async () => {
    const informer = factory.informer(configMaps);
    const view = new InformerView([informer], { clock: cluster.clock, labelSelector: "app=web" });
    const seen: unknown[] = [];
    const { controller, errors } = await run(view, async (key, client) => {
      stallWatches();
      const maps = client.resource(configMaps);
      await maps.create(labelled("default/web", { app: "web" }));
      await maps.patch(key, { data: { x: "1" } });
      seen.push(view.store.getByKey("default/web")?.metadata.name, view.store.getByKey(key));
    });
    controller.queue.add("default/a");
    await cluster.clock.advance(10);
    expect(errors).toEqual([]);
    expect(seen).toEqual(["web", undefined]);
  });
});

describe("A key", () => {
  test("is not reconciled again before the cache shows its writes", async () => {
    const informer = factory.informer(configMaps);
    const running = await run(informer, async (key, client, round) => {
      if (round > 1) return;
      stallWatches();
      await client.resource(configMaps).patch(key, { data: { x: "1" } });
    });
    running.controller.queue.add("default/a");
    await cluster.clock.advance(5000);
    expect(running.atMs).toHaveLength(1);
    resumeWatches();
    await cluster.clock.advance(10);
    expect(running.atMs.length).toBeGreaterThan(1);
  });

  test("waits until the cache no longer shows the uid that it has deleted", async () => {
    const informer = factory.informer(configMaps);
    await cluster.configMaps.create(configMap("default/b"));
    const running = await run(informer, async (key, client, round) => {
      if (key !== "default/a" || round > 2) return;
      stallWatches();
      await client.resource(configMaps).delete("default/b");
    });
    running.controller.queue.add("default/a");
    await cluster.clock.advance(5000);
    const before = running.atMs.length;
    resumeWatches();
    await cluster.clock.advance(10);
    expect(running.atMs.length).toBeGreaterThan(before);
  });

  test("never waits for an object of a shard that the cache does not hold (SHS-2)", async () => {
    const isIn = (shard: string, namespace: string): boolean =>
      ShardSelector.parse(shard).matches({ metadata: { namespace } });
    const halves = [0, 1].map((index) => shardRange("namespace", index, 2));
    const shardSelector = halves.find((shard) => isIn(shard, "default")) ?? "";
    const names = ["first", "second", "third"];
    const other = names.find((namespace) => !isIn(shardSelector, namespace)) ?? "";
    const informer = factory.informer(configMaps, { shardSelector });
    const running = await run(informer, async (_, client, round) => {
      if (round > 1) return;
      stallWatches();
      await client.resource(configMaps).create(configMap(`${other}/x`));
      await client.resource(configMaps).delete(`${other}/x`);
    });
    running.controller.queue.add("default/a");
    await cluster.clock.advance(10);
    expect(running.atMs).toHaveLength(2);
  });

  test("never waits for a namespace or a selector that the cache does not hold", async () => {
    const informer = factory.informer(configMaps, { namespace: "default", labelSelector: "a=1" });
    const running = await run(informer, async (_, client, round) => {
      if (round > 1) return;
      stallWatches();
      const maps = client.resource(configMaps);
      await maps.create(labelled("other/x", { a: "1" }));
      await maps.create(configMap("default/x"));
    });
    running.controller.queue.add("default/a");
    await cluster.clock.advance(10);
    running.controller.queue.add("default/a");
    await cluster.clock.advance(10);
    expect(running.atMs).toHaveLength(2);
  });

  test("is not held by a write that changed nothing", async () => {
    const informer = factory.informer(configMaps);
    const running = await run(informer, async (key, client) => {
      stallWatches();
      await client.resource(configMaps).patch(key, { metadata: { labels: {} } });
    });
    running.controller.queue.add("default/a");
    await cluster.clock.advance(10);
    expect(running.atMs).toHaveLength(2);
  });

  test("shows no ghost of an object that another client has deleted since", async () => {
    const informer = factory.informer(configMaps);
    await run(informer, async (_, client, round) => {
      if (round > 1) return;
      stallWatches();
      await client.resource(configMaps).create(configMap("default/b"));
    });
    await cluster.configMaps.delete("default/b");
    expect(informer.store.getByKey("default/b")).toBeDefined();
    resumeWatches();
    await cluster.clock.advance(10);
    expect(informer.store.getByKey("default/b")).toBeUndefined();
  });
});

describe("The client of a reconcile", () => {
  test("can only be read with the option client, which has to be of createClient", async () => {
    const { errors } = await run(factory.informer(configMaps), () => {}, { client: undefined });
    expect(errors).toMatchObject([{ code: "LW_CONTROLLER_STATE" }]);
    expect(() => new Controller({ client: {} as never, reconcile: () => {} })).toThrow(
      /client: expected what createClient makes/,
    );
  });
});

describe("ignoreOwnEvents", () => {
  async function roundsAfter(write: Reconcile, options: object = {}): Promise<number> {
    const informer = factory.informer(configMaps);
    const running = await run(
      informer,
      async (key, client, round) => {
        if (round > 1) return;
        // The answer comes before the event.
        stallWatches();
        await write(key, client, round);
        resumeWatches();
      },
      { ignoreOwnEvents: true, ...options },
    );
    await cluster.clock.advance(10_000);
    expect(running.errors).toEqual([]);
    return running.atMs.length;
  }

  const update: Reconcile = async (key, client) => {
    const maps = client.resource(configMaps);
    await maps.update({ ...(await maps.get(key)), data: { x: "1" } });
  };

  test("skips the event of an update with a resourceVersion, and without it the event counts", async () => {
    expect(await roundsAfter(update)).toBe(1);
  });

  test("delivers the event without the option", async () => {
    expect(await roundsAfter(update, { ignoreOwnEvents: false })).toBe(2);
  });

  test("delivers the event of a write without a precondition", async () => {
    const patch: Reconcile = (key, client) =>
      client.resource(configMaps).patch(key, { data: { x: "1" } });
    expect(await roundsAfter(patch)).toBe(2);
  });

  test("delivers a foreign change that follows the write", async () => {
    const both: Reconcile = async (key, client, round) => {
      await update(key, client, round);
      await cluster.configMaps.patch(key, { data: { foreign: "1" } });
    };
    expect(await roundsAfter(both)).toBe(2);
  });

  test("delivers the event of the key's write if the state before it has not been delivered", async () => {
    const missed: Reconcile = async (key, client, round) => {
      await cluster.configMaps.patch(key, { data: { foreign: "1" } });
      await update(key, client, round);
      for (const watch of cluster.api.control.watches.list()) watch.reset();
    };
    expect(await roundsAfter(missed)).toBeGreaterThan(1);
  });
});
