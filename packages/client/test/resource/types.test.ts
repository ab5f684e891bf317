import {
  createClient,
  createConnection,
  defineResource,
  type extractOwned,
  type ApplyConfiguration,
  type Draft,
  type Resource,
  type ResourceReference,
  type Wire,
} from "@listwatch/client";
import {
  mutableCopy,
  type Cached,
  type DeepReadonly,
  type KubernetesObject,
} from "@listwatch/core-fifo";
import { describe, expectTypeOf, test } from "vitest";

interface Container {
  name: string;
  image?: string;
}
interface Pod {
  apiVersion: "v1";
  kind: "Pod";
  metadata: { name: string; namespace?: string; labels?: { [key: string]: string } };
  spec: { containers: Container[]; nodeName?: string };
  status: { phase?: string };
}
interface Node extends KubernetesObject {
  spec: { unschedulable?: boolean };
}

const pods: Resource<Pod, "Namespaced", { status: Pod }> = defineResource({
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  scope: "Namespaced",
  subresources: ["status"],
});
const nodes = defineResource<Node, "Cluster">({
  group: "",
  version: "v1",
  resource: "nodes",
  kind: "Node",
  scope: "Cluster",
});
const client = createClient(createConnection({ server: "http://server" }));

describe("types", () => {
  test("of objects and keys come from the handle", () => {
    const podClient = client.resource(pods);
    expectTypeOf(() => podClient.get("default/web")).returns.toEqualTypeOf<Promise<Pod>>();
    // @ts-expect-error -- the key of a namespaced object has a namespace
    void (() => podClient.get("web"));
    // @ts-expect-error -- in every verb
    void (() => podClient.delete("web"));
    const nodeClient = client.resource(nodes);
    expectTypeOf(() => nodeClient.get("worker-1")).returns.toEqualTypeOf<Promise<Node>>();
  });

  test("of a plain reference are those of any object, and a handle is one", () => {
    const plain = { group: "", version: "v1", resource: "pods" };
    const plainClient = client.resource(plain);
    expectTypeOf(() => plainClient.get("a/b")).returns.toEqualTypeOf<Promise<KubernetesObject>>();
    expectTypeOf(plain).toExtend<ResourceReference>();
    expectTypeOf(pods).toExtend<ResourceReference<Pod>>();
    expectTypeOf(nodes).toExtend<ResourceReference>();
  });

  test("of objects written through a plain reference allow further members", () => {
    const things = client.resource({ group: "", version: "v1", resource: "configmaps" });
    expectTypeOf(() => things.get("b/a")).returns.toEqualTypeOf<Promise<KubernetesObject>>();
    const metadata = { name: "a", namespace: "b" };
    void (async (object: KubernetesObject) => {
      await things.create({ metadata, data: { x: "1" } });
      await things.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { x: "1" } });
      await things.update({ ...(await things.get("b/a")), data: { x: "1" } });
      await things.create(object);
      await things.update(object);
      // @ts-expect-error -- labels are strings
      await things.create({ metadata: { ...metadata, labels: { a: 1 } }, data: {} });
      // @ts-expect-error -- a typed resource has no further members
      await client.resource(nodes).create({ metadata, spec: {}, data: {} });
    });
  });

  test("of written objects accept objects, drafts and cached objects", () => {
    const podClient = client.resource(pods);
    void (async (pod: Pod, cached: Cached<Pod>) => {
      await podClient.update(pod);
      await podClient.update(cached);
      await podClient.updateStatus(cached);
      await podClient.create(pod);
      await podClient.create(cached);
      await podClient.create({ metadata: { name: "web" }, spec: { containers: [] } });
      // @ts-expect-error -- a spec is required
      await podClient.create({ metadata: { name: "web" } });
      // @ts-expect-error -- a draft cannot be written over an object
      await podClient.update({ metadata: { name: "web" }, spec: { containers: [] } });
      const copy = mutableCopy(cached);
      expectTypeOf(copy).toEqualTypeOf<Pod>();
      copy.spec.nodeName = "worker-1";
      await podClient.update(copy);
    });
  });

  test("of drafts may lack a spec that may be empty", () => {
    interface Limited {
      metadata: { name: string };
      spec: { size: number };
    }
    interface Open {
      metadata: { name: string };
      spec: unknown;
    }
    const draft: Draft<Node> = { metadata: { name: "worker-1" } };
    const open: Draft<Open> = { metadata: { name: "a" } };
    // @ts-expect-error -- a member of the spec is required
    const limited: Draft<Limited> = { metadata: { name: "a" } };
    expectTypeOf([draft, open, limited]).not.toBeAny();
    expectTypeOf<Draft<Node>["spec"]>().toEqualTypeOf<
      { readonly unschedulable?: boolean } | undefined
    >();
    void (async () => {
      await client.resource(nodes).create({ metadata: { name: "worker-1" } });
      // @ts-expect-error -- misspelt
      await client.resource(nodes).create({ metadata: { name: "worker-1" }, spek: {} });
      // @ts-expect-error -- misspelt
      await client.resource(nodes).create({ metadata: { name: "w" }, spec: { unscheduled: true } });
    });
  });

  test("of drafts and configurations omit the members that the server or the resource determines", () => {
    expectTypeOf<Pod>().toExtend<Draft<Pod>>();
    expectTypeOf<Cached<Pod>>().toExtend<Draft<Pod>>();
    const apply: ApplyConfiguration<Pod> = { spec: { containers: [{ name: "main" }] } };
    // @ts-expect-error -- the merge key of a list element is required
    const keyless: ApplyConfiguration<Pod> = { spec: { containers: [{ image: "nginx" }] } };
    expectTypeOf(apply).not.toBeAny();
    expectTypeOf(keyless).not.toBeAny();
  });

  test("of applied configurations require a name, and a namespace where keys have one", () => {
    const podClient = client.resource(pods);
    expectTypeOf<typeof podClient>().toHaveProperty("apply").not.toBeAny();
    const spec = { nodeName: "worker-1" };
    void (async (owned: ReturnType<typeof extractOwned<Pod>>) => {
      await podClient.apply({ metadata: { name: "web", namespace: "shop" }, spec });
      // @ts-expect-error -- a namespaced object is in a namespace
      await podClient.apply({ metadata: { name: "web" }, spec });
      // @ts-expect-error -- and has a name
      await podClient.apply({ metadata: { namespace: "shop" }, spec });
      // @ts-expect-error -- both are in the metadata
      await podClient.apply({ spec });
      // @ts-expect-error -- misspelt, at any depth
      await podClient.apply({ metadata: { name: "web", namespace: "shop", lables: {} } });
      const inShop = podClient.in("shop");
      await inShop.apply({ metadata: { name: "web" }, spec });
      await client
        .in("shop")
        .resource(pods)
        .apply({ metadata: { name: "web" }, spec });
      // @ts-expect-error -- the name is still required
      await inShop.apply({ metadata: {}, spec });
      await client.resource(nodes).apply({ metadata: { name: "worker-1" } });
      // @ts-expect-error -- a cluster-scoped object has a name
      await client.resource(nodes).apply({ metadata: { labels: { a: "b" } } });
      const anything = client.resource({ group: "", version: "v1", resource: "things" });
      await anything.apply({ metadata: { name: "one" } });
      // The result of extractOwned has a name.
      if (owned === undefined) return;
      await podClient.apply(owned);
      await podClient.apply({ ...owned, spec });
      await podClient.apply({ ...owned, metadata: { ...owned.metadata, labels: { a: "b" } } });
    });
  });

  test("of model classes are converted to their wire form", () => {
    interface Model {
      metadata?: { creationTimestamp?: Date; _continue?: string };
      items: { time: Date }[];
    }
    expectTypeOf<Wire<Model>>().toEqualTypeOf<{
      metadata?:
        | { creationTimestamp?: string | undefined; continue?: string | undefined }
        | undefined;
      items: { time: string }[];
    }>();
    interface Metadata {
      creationTimestamp?: string | undefined;
    }
    // A helper over model classes takes objects of a cache.
    expectTypeOf<Cached<{ metadata: Metadata; items: { time: string }[] }>>().toExtend<
      DeepReadonly<Wire<Model>>
    >();
  });
});
