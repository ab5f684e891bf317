import { createClient, defineResource, type FieldPath } from "@listwatch/client";
import { mutableCopy } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { InformerView, SharedInformer, SharedInformerFactory } from "@listwatch/shared-informer";
import { describe, expect, expectTypeOf, test } from "vitest";
import { Cluster, configMapReference } from "../support/cluster.ts";

interface Pod {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { name: string; image: string }[];
  };
  readonly status?: { readonly phase?: string; readonly message?: string };
}

const pods = defineResource<Pod>({
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  scope: "Namespaced",
});

async function createPods(cluster: Cluster): Promise<void> {
  const client = createClient(cluster.connection, { clock: cluster.clock }).resource(pods);
  for (const name of ["web", "db"]) {
    await client.create({
      metadata: { name, namespace: "shop", labels: { app: name }, annotations: { a: "b" } },
      spec: { nodeName: `node-of-${name}`, containers: [{ name: "main", image: "main" }] },
    });
  }
}

/** Starts the factory, waits for the sync, and reads from its informers. */
async function whenSynced<V>(factory: SharedInformerFactory, read: () => V): Promise<V> {
  factory.start();
  await factory.waitForCacheSync();
  const value = read();
  await factory[Symbol.asyncDispose]();
  return value;
}

describe("an informer with fields", () => {
  test("holds identity and the requested fields (PROJ-1)", async () => {
    const cluster = new Cluster();
    await createPods(cluster);
    const { clock, connection } = cluster;
    const factory = new SharedInformerFactory({ clock, connection });
    const informer = factory.informer(pods, {
      fields: ["metadata.labels", "spec.nodeName", ["metadata", "annotations", "a"]],
      indexers: { node: (pod) => pod.spec.nodeName },
    });
    const found = await whenSynced(factory, () => informer.store.byIndex("node", "node-of-web"));
    expect(found).toEqual([
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: "web",
          namespace: "shop",
          uid: expect.any(String),
          resourceVersion: expect.any(String),
          labels: { app: "web" },
          annotations: { a: "b" },
        },
        spec: { nodeName: "node-of-web" },
      },
    ]);
  });

  test("differs from an informer with other fields, or with all (PROJ-9)", () => {
    const { clock, connection } = new Cluster();
    const factory = new SharedInformerFactory({ clock, connection });
    const nodes = factory.informer(pods, { fields: ["spec.nodeName"] });
    expect(factory.informer(pods, { fields: ["spec.nodeName"] })).toBe(nodes);
    expect(factory.informer(pods, { fields: ["status.phase"] })).not.toBe(nodes);
    expect(factory.informer(pods)).not.toBe(nodes);
    expect(nodes.name).toBe('v1/pods?fields=["spec.nodeName"]');
  });

  test("is not lazy in a factory whose informers are", () => {
    const { clock, connection } = new Cluster();
    const factory = new SharedInformerFactory({ clock, connection, lazy: true });
    expect(factory.informer(pods, { fields: ["spec.nodeName"] }).name).toContain("spec.nodeName");
    expect(() => factory.informer(pods, { fields: ["status"], lazy: true })).toThrow(
      "expected one of fields and lazy",
    );
  });

  test("with metadataOnly keeps only fields of the metadata (PROJ-10)", async () => {
    const cluster = new Cluster();
    await cluster.create("default/a", { labels: { app: "web" } });
    const { clock, connection } = cluster;
    const factory = new SharedInformerFactory({ clock, connection });
    const informer = factory.informer(configMapReference, {
      metadataOnly: true,
      fields: ["metadata.labels.app"],
    });
    const [object] = await whenSynced(factory, () => informer.store.list());
    expect(object?.kind).toBe("PartialObjectMetadata");
    expect(object?.metadata).toMatchObject({ name: "a", labels: { app: "web" } });
    expect(object?.metadata).not.toHaveProperty("creationTimestamp");
  });

  test("is rejected on creation, with invalid paths or with lazy (PROJ-1)", () => {
    const { connection } = new Cluster();
    const create =
      (fields: unknown, more: object = {}) =>
      (): unknown =>
        httpListerWatcher({
          connection,
          resource: pods,
          fields: fields as readonly FieldPath[],
          ...more,
        });
    for (const fields of ["spec", 1, [1], [""], ["a..b"], [[]], ["__proto__.x"], [["a", ""]]]) {
      expect(create(fields)).toThrow(/Cannot use the option fields: expected paths such as/);
    }
    for (const path of [
      "spec.containers[0].image",
      "$.spec.nodeName",
      "{.spec.nodeName}",
      "/spec/nodeName",
      "spec\\.nodeName",
      "spec.*",
      "spec.nodeName, status.phase",
      "metadata.labels['app']",
      'metadata.labels["app"]',
      "metadata.labels.app.kubernetes.io/name",
      "metadata.labels.example.com",
      "metadata.annotations.example.com",
    ]) {
      expect(create([path])).toThrow(
        'expected paths such as "spec.nodeName" or ["metadata", "labels", "example.com/app"], ' +
          "got the string",
      );
    }
    expect(create(["spec"], { lazy: true })).toThrow(
      /option lazy: expected one of fields and lazy/,
    );
    const decoder = { mediaType: "x/y", list: () => undefined, watch: () => undefined };
    expect(create(["spec"], { decoder })).toThrow(/option fields: expected none with this decoder/);
  });
});

describe("the types of projected objects (PROJ-2)", () => {
  const { connection } = new Cluster();
  const factory = new SharedInformerFactory({ connection });
  const informer = factory.informer(pods, {
    fields: ["metadata.labels", "spec.nodeName", "status.phase"],
    indexers: { phase: (pod) => pod.status?.phase },
  });

  test("have the requested members, in handlers, indexes, listers and views", () => {
    informer.addEventHandler({
      onAdd: (pod) => {
        expectTypeOf(pod.spec.nodeName).toEqualTypeOf<string | undefined>();
        expectTypeOf(pod.status?.phase).toEqualTypeOf<string | undefined>();
        expectTypeOf(pod.metadata.labels?.["app"]).toEqualTypeOf<string | undefined>();
        expectTypeOf(pod.metadata.name).toEqualTypeOf<string>();
        // @ts-expect-error -- not asked for
        void pod.metadata.annotations;
        // @ts-expect-error -- not asked for
        void pod.spec.containers;
      },
    });
    void (() => {
      // @ts-expect-error -- not asked for
      void informer.lister.get("shop/web").status?.message;
      // @ts-expect-error -- not asked for
      void informer.store.byIndex("phase", "Running")[0]?.spec.containers;
      // @ts-expect-error -- not asked for
      informer.addIndexers({ message: (pod) => pod.status?.message });
      const view = new InformerView([informer]);
      // @ts-expect-error -- not asked for
      void view.store.list()[0]?.spec.containers;
      // @ts-expect-error -- not asked for
      void factory.lister(pods, { fields: ["spec.nodeName"] }).list()[0]?.status;
    });
    const listerWatcher = httpListerWatcher({ connection, resource: pods, fields: ["spec"] });
    const single = new SharedInformer({ listerWatcher });
    void (() => {
      const names = single.store.list()[0]?.spec.containers.map(({ name }) => name);
      expectTypeOf(names).toEqualTypeOf<string[] | undefined>();
      // @ts-expect-error -- not asked for
      void single.store.list()[0]?.status;
    });
    expect(informer.name).toContain("status.phase");
  });

  test("contain parts of maps and nothing of lists", () => {
    const some = factory.informer(pods, {
      fields: [["metadata", "labels", "app.kubernetes.io/name"], "spec.containers.name"],
    });
    void (() => {
      const pod = some.lister.get("shop/web");
      const name = pod.metadata.labels?.["app.kubernetes.io/name"];
      expectTypeOf(name).toEqualTypeOf<string | undefined>();
      // @ts-expect-error -- another label
      void pod.metadata.labels?.["app"];
      expectTypeOf(pod.spec.containers).toEqualTypeOf<undefined>();
    });
    expect(some.name).toContain("kubernetes.io/name");
  });

  test("fit neither mutableCopy nor the writes of a client", () => {
    const client = createClient(connection).resource(pods);
    const all = factory.informer(pods, {
      fields: ["metadata", "spec", "status", "kind", "apiVersion"],
    });
    void (async () => {
      const pod = all.lister.get("shop/web");
      // @ts-expect-error -- not a whole object
      void mutableCopy(pod);
      // @ts-expect-error -- not a whole object
      await client.update(pod);
      // @ts-expect-error -- not a whole object
      await client.updateStatus(pod);
      // @ts-expect-error -- not a whole object
      await client.subresource("status").update("shop/web", pod);
      // @ts-expect-error -- not a whole object
      await client.create(pod);
    });
    expect(client.resource).toBe(pods);
  });
});
