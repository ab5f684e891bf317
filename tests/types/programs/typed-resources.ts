// Code that must compile and, after each `@ts-expect-error`, must not: types flow from one import
// through client, informer, indexes, lister and controller, without a type argument (TYP-1, TYP-5).
import {
  createClient,
  createConnection,
  defineResource,
  isReady,
  waitFor,
  type ApplyConfiguration,
  type Draft,
  type JsonPatch,
  type Resource,
  type ResourceReference,
  type Wire,
} from "@listwatch/client";
import {
  allOf,
  Controller,
  generationChanged,
  ownerOf,
  withFinalizer,
  writeStatus,
} from "@listwatch/controller";
import { mutableCopy, type Cached, type Key, type KubernetesObject } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { deployments, type Deployment } from "@listwatch/resources/apps/v1";
import { jobs } from "@listwatch/resources/batch/v1";
import {
  configmaps,
  namespaces,
  nodes,
  pods,
  resourcequotas,
  serviceaccounts,
  services,
  type Pod,
} from "@listwatch/resources/core/v1";
import { leases, type Lease } from "@listwatch/resources/coordination.k8s.io/v1";
import { SharedInformer, SharedInformerFactory } from "@listwatch/shared-informer";

/** `true` if the types are identical, not only assignable. There is no simpler comparison. */
type Equal<A, B> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

const connection = createConnection({ server: "http://127.0.0.1:8001" });
const client = createClient(connection);
const factory = new SharedInformerFactory({ connection });

/** The client returns mutable objects of the handle's type. */
export async function reads(): Promise<void> {
  const pod = await client.resource(pods).get("default/web-0");
  true satisfies Equal<typeof pod, Pod>;
  pod.spec.nodeName = "worker-1";
  const created: string | undefined = pod.metadata.creationTimestamp;
  const limit: string | undefined = pod.spec.containers[0]?.resources?.limits?.["cpu"];
  const port: number | string | undefined =
    pod.spec.containers[0]?.livenessProbe?.httpGet?.port ?? created ?? limit;
  // @ts-expect-error a time is a string on the wire
  pod.metadata.creationTimestamp?.getTime();
  // @ts-expect-error a port may have a name
  port?.toFixed();
  // @ts-expect-error the key of a namespaced object has a namespace
  await client.resource(pods).get("web-0");
  await client.resource(pods).in("default").get("web-0");
  await client.resource(nodes).get("worker-1");
  // @ts-expect-error nodes are cluster-scoped
  client.resource(nodes).in("default");
  const { items } = await client.resource(services).list({ namespace: "default" });
  const types: ("ClusterIP" | "ExternalName" | "LoadBalancer" | "NodePort" | undefined)[] =
    items.map(({ spec }) => spec.type);
  // @ts-expect-error no such type of services
  types.push("Cluster");
  for await (const event of client.resource(jobs).watch()) {
    if (event.type === "ADDED") console.log(event.object.status.succeeded);
    // @ts-expect-error a bookmark has no status
    if (event.type === "BOOKMARK") console.log(event.object.status);
  }
}

/** Writes accept objects, drafts, cached objects and configurations (TYP-4). */
export async function writes(cached: Cached<Pod>, own: Pod): Promise<void> {
  const podClient = client.resource(pods);
  await podClient.update(own);
  await podClient.update(cached);
  await podClient.create({
    metadata: { name: "a", namespace: "b" },
    spec: { containers: [{ name: "c" }] },
  });
  await podClient.create(cached);
  // @ts-expect-error another kind
  await podClient.create({ kind: "Deployment", metadata: { name: "a" }, spec: { containers: [] } });
  // @ts-expect-error the containers are required
  await podClient.create({ metadata: { name: "a" }, spec: {} });
  await podClient.create({
    metadata: { name: "a" },
    // @ts-expect-error misspelt
    spec: { containers: [{ name: "c", imagee: "x" }] },
  });
  // @ts-expect-error a draft cannot replace an object
  await podClient.update({ metadata: { name: "a" }, spec: { containers: [] } });
  // @ts-expect-error the object of another kind
  await podClient.update(await client.resource(services).get("a/b"));
  // A spec without required members may be missing.
  await client.resource(namespaces).create({ metadata: { name: "n" } });
  await client.resource(nodes).create({ metadata: { name: "n" } });
  await client.resource(leases).create({ metadata: { name: "n", namespace: "x" } });
  await client.resource(resourcequotas).create({ metadata: { name: "n", namespace: "x" } });
  // @ts-expect-error the containers are required
  await podClient.create({ metadata: { name: "a" } });
  // @ts-expect-error misspelt
  await client.resource(namespaces).create({ metadata: { name: "n" }, specs: {} });
  const draft: Draft<Deployment> = {
    metadata: { name: "d", namespace: "x" },
    spec: { selector: {}, template: { spec: { containers: [] } } },
  };
  await client.resource(deployments).create(draft);
}

/** Every field of a configuration may be missing, except the keys of list elements. */
export async function applies(): Promise<void> {
  const { metadata } = { metadata: { name: "d", namespace: "x" } };
  const deploymentClient = client.resource(deployments);
  await deploymentClient.apply({ metadata, spec: { replicas: 3 } });
  const template = { spec: { containers: [{ name: "app", image: "x" }] } };
  await deploymentClient.apply({ metadata, spec: { template } });
  await deploymentClient.apply({
    metadata,
    // @ts-expect-error the element has no merge key
    spec: { template: { spec: { containers: [{ image: "x" }] } } },
  });
  // @ts-expect-error misspelt
  await deploymentClient.apply({ metadata, spec: { replica: 3 } });
  // @ts-expect-error a configuration of a namespaced object needs a namespace
  await deploymentClient.apply({ metadata: { name: "d" }, spec: { replicas: 3 } });
  // @ts-expect-error a configuration needs a name
  await deploymentClient.apply({ metadata: { namespace: "x" }, spec: { replicas: 3 } });
  await deploymentClient.in("x").apply({ metadata: { name: "d" }, spec: { replicas: 3 } });
  await client.resource(nodes).apply({ metadata: { name: "n", labels: { rack: "1" } } });
  const part: ApplyConfiguration<Pod> = { spec: { nodeSelector: { disk: "ssd" } } };
  await client.resource(pods).patch("a/b", part);
}

/** Each type of patch has a separate form. */
export async function patches(): Promise<void> {
  const deploymentClient = client.resource(deployments);
  await deploymentClient.patch("a/b", { metadata: { labels: { tier: null } } });
  await deploymentClient.patchStatus("a/b", { status: { replicas: 3 } });
  // @ts-expect-error misspelt
  await deploymentClient.patch("a/b", { spec: { replica: 3 } });
  // @ts-expect-error another type
  await deploymentClient.patch("a/b", { spec: { replicas: "3" } });
  // @ts-expect-error a merge patch has no operations
  await deploymentClient.patch("a/b", [{ op: "remove", path: "/spec/replicas" }]);
  const remove: JsonPatch = [{ op: "remove", path: "/spec/replicas" }];
  await deploymentClient.patch("a/b", remove, { type: "json" });
  // @ts-expect-error an add has a value
  await deploymentClient.patch("a/b", [{ op: "add", path: "/x" }], { type: "json" });
  // @ts-expect-error operations are a list
  await deploymentClient.patch("a/b", { spec: { replicas: 3 } }, { type: "json" });
  const containers = [
    { name: "app", image: "x" },
    { name: "old", $patch: "delete" as const },
  ];
  const template = { spec: { containers } };
  await deploymentClient.patch("a/b", { spec: { template } }, { type: "strategic" });
  await deploymentClient.subresource("scale").patch("a/b", { spec: { replicas: 3 } });
  // @ts-expect-error misspelt
  await deploymentClient.subresource("scale").patch("a/b", { spec: { replica: 3 } });
}

/** Subresources have separate types. */
export async function subresources(): Promise<void> {
  const scale = await client.resource(deployments).subresource("scale").get("a/b");
  true satisfies Equal<typeof scale.kind, "Scale">;
  scale.spec.replicas = 2;
  await client.resource(deployments).subresource("scale").update("a/b", scale);
  await client
    .resource(pods)
    .subresource("eviction")
    .create("a/b", { metadata: { name: "b" } });
  const token = client.resource(serviceaccounts).subresource("token");
  await token.create("a/b", { metadata: {}, spec: { audiences: ["vault"] } });
  // @ts-expect-error misspelt
  await token.create("a/b", { metadata: {}, spec: { audience: "vault" } });
  // @ts-expect-error config maps have no scale
  client.resource(configmaps).subresource("scale");
  // @ts-expect-error misspelt
  client.resource(pods).subresource("evict");
}

/** Cached objects are read-only at every depth; a mutable copy has the original type (TYP-3). */
export async function caches(): Promise<void> {
  const informer = factory.informer(pods);
  const cached = informer.lister.get("default/web-0");
  true satisfies Equal<typeof cached, Cached<Pod>>;
  // @ts-expect-error read-only
  cached.spec.nodeName = "x";
  // @ts-expect-error at every depth
  cached.spec.containers[0]!.image = "x";
  // @ts-expect-error lists too
  cached.spec.containers.push({ name: "x" });
  // @ts-expect-error the key of a namespaced object has a namespace
  informer.lister.get("web-0");
  const copy = mutableCopy(cached);
  true satisfies Equal<typeof copy, Pod>;
  copy.spec.containers.push({ name: "sidecar", image: "x" });
  await client.resource(pods).update(copy);
  informer.addEventHandler({
    onUpdate: (old, object) => {
      true satisfies Equal<typeof old, Cached<Pod>>;
      console.log(object.status.phase === "Running");
      // @ts-expect-error no such phase
      console.log(object.status.phase === "Runing");
      // @ts-expect-error read-only
      object.metadata.labels = {};
    },
  });
  await waitFor(informer, "default/web-0", isReady);
  const lease = factory.lister(leases).find("a/b");
  true satisfies Equal<typeof lease, Cached<Lease> | undefined>;
}

/** Names and values of indexes come from the index functions. */
export function indexes(): void {
  const { store } = factory.informer(pods, {
    indexers: {
      node: (pod) => pod.spec.nodeName,
      images: (pod) => pod.spec.containers.map(({ image }) => image),
      state: (pod) => (pod.status.phase === "Running" ? "up" : "down"),
      labelled: (pod) => {
        true satisfies Equal<typeof pod, Cached<Pod>>;
        // @ts-expect-error read-only
        pod.metadata.labels = {};
        return pod.metadata.labels !== undefined;
      },
      host: (pod: Pod) => pod.status.hostIP,
    },
  });
  store.byIndex("labelled", true);
  store.byIndex("host", "10.0.0.1");
  const found = store.byIndex("node", "worker-1");
  true satisfies Equal<typeof found, Cached<Pod>[]>;
  store.byIndex("images", "nginx");
  store.byIndex("state", "up");
  store.byIndex("namespace", "default");
  // @ts-expect-error no such value
  store.byIndex("state", "sideways");
  // @ts-expect-error no such index
  store.byIndex("nod", "worker-1");
}

/** With `metadataOnly` the types have no other members. */
export function partialObjects(): void {
  const informer = factory.informer(pods, {
    metadataOnly: true,
    indexers: { app: (pod) => pod.metadata.labels?.["app"] },
  });
  const [partial] = informer.store.byIndex("app", "web");
  if (partial === undefined) return;
  console.log(partial.metadata.ownerReferences, partial.metadata.name);
  const kind: string | undefined = partial.kind;
  // @ts-expect-error the kind is PartialObjectMetadata
  const own: "Pod" = partial.kind;
  // @ts-expect-error it has no spec
  console.log(kind, own, partial.spec);
  // @ts-expect-error it has no status
  informer.addEventHandler({ onAdd: (pod) => console.log(pod.status) });
  // @ts-expect-error not a whole pod
  void client.resource(pods).update(partial);
  // @ts-expect-error not a whole pod
  mutableCopy(partial);
  // @ts-expect-error it has no spec
  console.log(factory.lister(pods, { metadataOnly: true }).find("a/b")?.spec);
  const source = httpListerWatcher({ connection, resource: pods, metadataOnly: true });
  // @ts-expect-error it has no spec
  console.log(new SharedInformer({ listerWatcher: source }).store.list()[0]?.spec);
  const listed = factory.informer(pods, { metadataOnly: true, fields: ["metadata.labels"] });
  console.log(listed.store.list()[0]?.metadata.labels);
  // @ts-expect-error only the requested part of the metadata
  console.log(listed.store.list()[0]?.metadata.annotations);
  const controller = new Controller({
    informer,
    // @ts-expect-error it has no spec
    reconcile: async (_key, { object }) => console.log(object?.spec),
  });
  controller.owns(informer, deployments);
  // Explicit type arguments are kept.
  const whole = factory.informer<Pod>(pods, { metadataOnly: true }).store.list();
  true satisfies Equal<typeof whole, Cached<Pod>[]>;
  const off = factory.informer(pods, { metadataOnly: false }).store.list();
  true satisfies Equal<typeof off, Cached<Pod>[]>;
}

/** A controller has the types of objects, keys and indexes of its informer. */
export function controllers(): Controller<Deployment, never, "Namespaced"> | object {
  const informer = factory.informer(deployments);
  const controller = new Controller({
    informer,
    reconcile: async (key, { object, signal }) => {
      true satisfies Equal<typeof key, Key<"Namespaced">>;
      true satisfies Equal<typeof object, Cached<Deployment> | undefined>;
      if (object === undefined) return;
      const deploymentClient = client.resource(deployments);
      await deploymentClient.get(key, { signal });
      await withFinalizer(deploymentClient, object, {
        finalizer: "example.com/done",
        signal,
        apply: async () => console.log(object.spec.replicas),
        cleanup: async () => {},
      });
      await writeStatus(deploymentClient, object, ({ status }) => ({ ...status, replicas: 1 }), {
        signal,
      });
      // @ts-expect-error no such member of an object
      await writeStatus(deploymentClient, object, ({ state }) => state);
      const condition = { type: "Available", status: "True" } as const;
      await writeStatus(deploymentClient, object, ({ status }) => ({
        ...status,
        conditions: [...(status?.conditions ?? []), condition],
      }));
      // @ts-expect-error no such status of a condition
      await writeStatus(deploymentClient, object, () => ({ conditions: [{ status: "Treu" }] }));
      // @ts-expect-error no such member of a status
      await writeStatus(deploymentClient, object, () => ({ replicaz: 1 }));
      await writeStatus(client.resource({ ...deployments }), object, ({ status }) => status);
      const untyped = client.resource({ group: "example.com", version: "v1", resource: "sites" });
      const site: KubernetesObject = await untyped.get("default/a");
      await writeStatus(untyped, site, () => ({ conditions: [{ status: "Treu" }] }));
      // @ts-expect-error read-only
      object.spec.replicas = 1;
    },
  });
  controller.owns(factory.informer(pods), ownerOf(deployments), {
    predicate: allOf(generationChanged),
  });
  controller.for(informer, {
    predicate: { update: (old, object) => old.spec.replicas !== object.spec.replicas },
  });
  // @ts-expect-error the key of a deployment has a namespace
  controller.queue.add("web");
  return controller;
}

interface Database {
  apiVersion: "example.com/v1";
  kind: "Database";
  metadata: { name?: string; namespace?: string };
  spec: { size: number };
  status?: { ready: boolean };
}

/** Custom kinds, plain references (TYP-2), and models of other libraries. */
export async function others(): Promise<void> {
  const databases: Resource<Database, "Namespaced", { status: Database }> = defineResource({
    group: "example.com",
    version: "v1",
    resource: "databases",
    kind: "Database",
    scope: "Namespaced",
  });
  const size: number = (await client.resource(databases).get("a/b")).spec.size;
  const reference: ResourceReference = deployments;
  const plain: KubernetesObject = await client.resource(reference).get("a/b");
  // @ts-expect-error a plain reference has no spec
  console.log(size, plain.spec);
  // @ts-expect-error handles of other kinds are not assignable
  const wrong: ResourceReference<Pod> = deployments;
  console.log(wrong);
  interface Model {
    metadata?: { creationTimestamp?: Date; _continue?: string };
  }
  const wire: Wire<Model> = { metadata: { creationTimestamp: "2026-01-01T00:00:00Z" } };
  // @ts-expect-error a string on the wire
  wire.metadata?.creationTimestamp?.getTime();
}
