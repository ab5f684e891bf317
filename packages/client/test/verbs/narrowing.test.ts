import {
  createClient,
  createConnection,
  defineResource,
  isNotFound,
  isReady,
  InvalidNameError,
  waitFor,
} from "@listwatch/client";
import { InvalidOptionsError, type KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, expectTypeOf, test } from "vitest";
import { failureOf } from "../support/answering.ts";

interface ConfigMap extends KubernetesObject {
  data?: Readonly<Record<string, string>>;
}

const configMaps = defineResource<ConfigMap>({
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
});
const nodes = defineResource<KubernetesObject, "Cluster">({
  group: "",
  version: "v1",
  resource: "nodes",
  kind: "Node",
  scope: "Cluster",
});
const deployments = { group: "apps", version: "v1", resource: "deployments" };

function setUp() {
  const namespaces = ["shop", "other"].map((name) => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name },
  }));
  const api = new FakeApiServer({ objects: namespaces });
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  const client = createClient(connection, { fieldManager: "test" });
  return { api, client, all: client.resource(configMaps), shop: client.in("shop") };
}

describe("a client that is narrowed to a namespace", () => {
  test("accepts names instead of keys, in every verb (CLI-12)", async () => {
    const { all, shop } = setUp();
    const maps = shop.resource(configMaps);
    const created = await maps.create({ metadata: { name: "a" }, data: { x: "1" } });
    expect(created.metadata?.namespace).toBe("shop");
    expect((await maps.get("a")).data).toEqual({ x: "1" });
    await maps.update({ ...created, data: { x: "2" } });
    await maps.patch("a", { data: { y: "3" } });
    await maps.apply({ metadata: { name: "b" }, data: { z: "4" } });
    expect((await all.get("shop/a")).data).toEqual({ x: "2", y: "3" });
    await maps.delete("a");
    expect(isNotFound(await failureOf(all.get("shop/a")))).toBe(true);
    expect((await all.get("shop/b")).data).toEqual({ z: "4" });
  });

  test("lists, watches and deletes only there (CLI-12)", async () => {
    const { all, shop } = setUp();
    const maps = shop.resource(configMaps);
    await all.create({ metadata: { namespace: "other", name: "a" } });
    await maps.create({ metadata: { name: "b" } });
    expect((await maps.list()).items.map(({ metadata }) => metadata?.name)).toEqual(["b"]);
    const stop = new AbortController();
    const events: (string | undefined)[] = [];
    for await (const { object } of maps.watch({ signal: stop.signal })) {
      events.push((object as ConfigMap).metadata?.name);
      break;
    }
    expect(events).toEqual(["b"]);
    await maps.deleteCollection({ all: true });
    expect((await all.list()).items.map(({ metadata }) => metadata?.namespace)).toEqual(["other"]);
  });

  test("addresses subresources by name (CLI-12)", async () => {
    const { client, shop } = setUp();
    const template = {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const spec = { replicas: 1, selector: { matchLabels: { app: "web" } }, template };
    const web = { metadata: { name: "web" }, spec };
    await shop.resource(deployments).create(web);
    await shop.resource(deployments).scale("web", 3);
    const scale = await client.resource(deployments).subresource("scale").get("shop/web");
    expect(scale).toMatchObject({ spec: { replicas: 3 } });
  });

  test("works with waitFor (CLI-12)", async () => {
    const { shop } = setUp();
    const maps = shop.resource(configMaps);
    await maps.create({ metadata: { name: "a" } });
    expect((await waitFor(maps, "a", (map) => map !== undefined))?.metadata?.name).toBe("a");
  });

  test("rejects objects, keys and selections of another namespace (CLI-12)", async () => {
    const { api, shop } = setUp();
    const maps = shop.resource(configMaps);
    const stranger = { metadata: { namespace: "other", name: "a" } };
    const before = api.control.recorder.count;
    for (const call of [
      () => maps.create(stranger),
      () => maps.update(stranger),
      () => maps.apply(stranger),
      () => maps.list({ namespace: "other" }),
      () => maps.deleteCollection({ namespace: "other", all: true }),
    ]) {
      const failure = await failureOf((async () => call())());
      expect(failure).toBeInstanceOf(InvalidOptionsError);
      expect(String(failure)).toContain(
        'expected "shop", which the client is narrowed to, or none, got the string "other"',
      );
    }
    expect(await failureOf(maps.get("other/a"))).toBeInstanceOf(InvalidNameError);
    expect(api.control.recorder.count).toBe(before);
  });

  test("requires a namespaced resource and a namespace (CLI-12)", () => {
    const { client, shop } = setUp();
    // @ts-expect-error -- nodes are cluster-scoped
    expect(() => client.resource(nodes).in("shop")).toThrow("nodes are of the whole cluster");
    // @ts-expect-error -- nodes are cluster-scoped
    expect(() => shop.resource(nodes)).toThrow("nodes are of the whole cluster");
    expect(() => client.in("").resource(configMaps)).toThrow("the name of a namespace");
  });
});

test("keys are typed by the scope and by the narrowing (CLI-12)", () => {
  const { all, shop } = setUp();
  const maps = shop.resource(configMaps);
  expectTypeOf(() => maps.get("a")).returns.toEqualTypeOf<Promise<ConfigMap>>();
  expectTypeOf(() => all.in("shop").get("a")).returns.toEqualTypeOf<Promise<ConfigMap>>();
  // @ts-expect-error -- the key of a namespaced object has a namespace
  void (() => all.get("a"));
  // @ts-expect-error -- also in waits
  void (() => waitFor(all, "a", isReady));
  void (() => waitFor(maps, "a", isReady));
});
