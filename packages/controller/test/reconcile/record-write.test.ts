import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defineResource, type ResourceReference } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { SharedInformer, SharedInformerFactory } from "@listwatch/shared-informer";
import { Cluster, configMap, type ConfigMap } from "../support/cluster.ts";
import { runInformer } from "../support/informer.ts";

let cluster: Cluster;
let stop: AbortController;

const configMaps = defineResource<ConfigMap>({
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
});
const secrets = defineResource<ConfigMap>({
  group: "",
  version: "v1",
  resource: "secrets",
  kind: "Secret",
  scope: "Namespaced",
});

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
});

function createFactory(): SharedInformerFactory {
  return new SharedInformerFactory({ connection: cluster.connection, clock: cluster.clock });
}

interface Run {
  /** Starts of reconciles, in milliseconds since the first. */
  readonly atMs: number[];
  readonly errors: unknown[];
}

/** Reconciles a config map. The first reconcile creates a secret and records the write. */
async function run(children: ResourceReference<ConfigMap>, wanted: object = {}): Promise<Run> {
  await cluster.configMaps.create(configMap("default/a"));
  const factory = createFactory();
  const atMs: number[] = [];
  const errors: unknown[] = [];
  const controller = new Controller({
    clock: cluster.clock,
    informer: factory.informer(configMaps),
    readYourWrites: true,
    reconcile: async (key, { recordWrite }) => {
      atMs.push(cluster.clock.now());
      if (atMs.length > 1) return {};
      const metadata = { namespace: "default", name: "child" };
      const written = await cluster.client
        .resource(secrets)
        .create({ apiVersion: "v1", kind: "Secret", metadata });
      recordWrite({ ...written, ...wanted });
      return { requeueAfterMs: 1 };
    },
    onError: (error) => errors.push(error),
  });
  if (children.resource !== "none") controller.watches(factory.informer(children), () => []);
  factory.start(stop.signal);
  void controller.run(stop.signal);
  await cluster.clock.advance(300_000);
  return { atMs: atMs.map((ms) => ms - (atMs[0] ?? 0)), errors };
}

describe("recordWrite", () => {
  test.each([
    ["a handle", secrets],
    ["a plain reference", { group: "", version: "v1", resource: "secrets" }],
  ])("waits for the cache of the object's resource, identified by %s", async (_, children) => {
    const { atMs, errors } = await run(children);
    expect(errors).toEqual([]);
    expect(atMs).toHaveLength(2);
    expect(atMs[1]).toBeLessThan(100);
  });

  test("rejects an object without a source, and names the sources", async () => {
    const { errors } = await run({ group: "", version: "v1", resource: "none" });
    expect(errors[0]).toMatchObject({ code: "LW_CONTROLLER_STATE" });
    expect(errors[0]).toMatchObject({
      message:
        "Cannot record the write of Secret default/child: expected an object of one of the " +
        "sources of controller (v1/configmaps), or the informer of its resource as second argument",
    });
  });

  test("derives the resource of an informer without a reference from its cached objects", async () => {
    await cluster.configMaps.create(configMap("default/a"));
    const factory = createFactory();
    const informer = runInformer(cluster, stop.signal);
    const reconciled: number[] = [];
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      readYourWrites: true,
      reconcile: async (key, { recordWrite }) => {
        reconciled.push(cluster.clock.now());
        const data = { x: "1" };
        if (reconciled.length === 1) recordWrite(await cluster.configMaps.patch(key, { data }));
      },
    }).watches(factory.informer(secrets), () => []);
    factory.start(stop.signal);
    void controller.run(stop.signal);
    await cluster.clock.advance(1000);
    expect(reconciled).toHaveLength(2);
  });

  test("rejects an informer of other objects, and accepts one that is not a source", async () => {
    const factory = createFactory();
    const informer = factory.informer(configMaps);
    const other = factory.informer(secrets);
    const errors: unknown[] = [];
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace: "default", name: "s", resourceVersion: "1" },
    };
    const controller = new Controller({
      clock: cluster.clock,
      informer,
      readYourWrites: true,
      reconcile: (_, { recordWrite }) => {
        recordWrite(secret, other);
        recordWrite(secret, informer);
      },
      onError: (error) => errors.push(error),
    });
    controller.queue.add("default/a");
    await controller.processNextItem();
    expect(errors).toMatchObject([
      {
        message:
          "Cannot record the write of Secret default/s: expected an informer of such objects, " +
          "got v1/configmaps",
      },
    ]);
  });

  test("requires the informer when several may have such objects", async () => {
    const errors: unknown[] = [];
    const source = (name: string): SharedInformer<ConfigMap> =>
      new SharedInformer({ name, clock: cluster.clock, listerWatcher: cluster.source() });
    const controller = new Controller({
      clock: cluster.clock,
      readYourWrites: true,
      reconcile: (_, { recordWrite }) =>
        recordWrite({ ...configMap("default/a"), apiVersion: "v1", kind: "ConfigMap" }),
      onError: (error) => errors.push(error),
    })
      .watches(source("one"), () => [])
      .watches(source("two"), () => []);
    controller.queue.add("default/a");
    await controller.processNextItem();
    expect(errors).toMatchObject([{ code: "LW_CONTROLLER_STATE" }]);
  });
});
