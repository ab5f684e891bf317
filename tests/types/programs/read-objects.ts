// Lines of operators, dashboards and commands that read what the server always writes: they compile
// without a cast, for built-in and generated kinds, whole, projected and with metadata only. Lines
// after `@ts-expect-error` must not compile (TYP-8).
import { createClient, createConnection, type Draft } from "@listwatch/client";
import { Controller, ownerOf } from "@listwatch/controller";
import { compareResourceVersions, type Cached, type Key } from "@listwatch/core-fifo";
import { deployments, statefulsets, type Deployment } from "@listwatch/resources/apps/v1";
import { configmaps, namespaces, nodes, pods, type Pod } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { databases, scalesV1, type Database } from "./custom-resources.generated.ts";

const connection = createConnection({ server: "http://127.0.0.1:8001" });
const client = createClient(connection);
const factory = new SharedInformerFactory({ connection });

/** The commonest lines of an operator: a child has metadata and owner of its parent. */
export function operator(): Controller<Database, never, "Namespaced"> | object {
  const informer = factory.informer(databases);
  const controller = new Controller({
    informer,
    reconcile: async (key, { object }) => {
      if (object === undefined) return;
      const { name, namespace, uid } = object.metadata;
      const ownerReferences = [
        { apiVersion: object.apiVersion, kind: object.kind, name, uid, controller: true },
      ];
      await client.resource(configmaps).apply({
        metadata: { name: `${name}-settings`, namespace, ownerReferences },
        data: { engine: object.spec.engine },
      });
      const child = await client.resource(configmaps).in(object.metadata.namespace).get(name);
      const childKey: Key<"Namespaced"> = `${child.metadata.namespace}/${child.metadata.name}`;
      console.log(key, childKey);
    },
  });
  return controller.owns(factory.informer(configmaps), ownerOf(databases));
}

/** Answers of reads and writes. */
export async function answers(pod: Draft<Pod>): Promise<string[]> {
  const podClient = client.resource(pods);
  const created: string = (await podClient.create(pod)).metadata.name;
  const patched: string = (await podClient.patch("shop/web", {})).metadata.resourceVersion;
  const { items } = await podClient.list();
  const sorted = items.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  const [first, second] = sorted;
  if (first !== undefined && second !== undefined) {
    compareResourceVersions(first.metadata.resourceVersion, second.metadata.resourceVersion);
  }
  for await (const event of podClient.watch()) {
    if (event.type === "ADDED") console.log(event.object.metadata.name.startsWith("web-"));
    // @ts-expect-error a bookmark only has a resourceVersion
    if (event.type === "BOOKMARK") console.log(event.object.metadata.name.startsWith("web-"));
  }
  const scale = await client.resource(deployments).subresource("scale").get("shop/web");
  const generated = await client.resource(databases).get("shop/orders");
  return [created, patched, scale.metadata.name, generated.metadata.uid];
}

/** Objects of caches, and their indexes. */
export function caches(cached: Cached<Pod>): number {
  const { store } = factory.informer(pods, {
    indexers: { owner: (pod) => pod.metadata.ownerReferences?.map(({ uid }) => uid) },
  });
  const byUid = new Map<string, Cached<Pod>>(store.list().map((pod) => [pod.metadata.uid, pod]));
  const names: string[] = store
    .byIndex("owner", cached.metadata.uid)
    .map((pod) => pod.metadata.name);
  const ageMs = Date.now() - Date.parse(cached.metadata.creationTimestamp);
  // @ts-expect-error only objects that are being deleted have it
  Date.parse(cached.metadata.deletionTimestamp);
  return ageMs + names.length + byUid.size;
}

/** The scope decides about the namespace. */
export async function scopes(): Promise<void> {
  const node = await client.resource(nodes).get("worker-1");
  const name: string = node.metadata.name;
  const none: undefined = node.metadata.namespace;
  const weight = await client.resource(scalesV1).get("heavy");
  const noneEither: undefined = weight.metadata.namespace;
  // @ts-expect-error a cluster-scoped object has no namespace
  client.resource(pods).in(node.metadata.namespace);
  for (const { metadata } of (await client.resource(namespaces).list()).items) {
    await client.resource(configmaps).in(metadata.name).list();
  }
  console.log(name, none, noneEither);
}

/** Parts of objects have the identity, and those members that were requested. */
export function parts(): string[] {
  const [partial] = factory.informer(pods, { metadataOnly: true }).store.list();
  const [picked] = factory.informer(pods, { fields: ["spec.nodeName"] }).store.list();
  const [generated] = factory.informer(databases, { metadataOnly: true }).store.list();
  const fields = ["metadata.creationTimestamp"] as const;
  const [timed] = factory.informer(databases, { fields }).store.list();
  if (!partial || !picked || !generated || !timed) return [];
  const { name, namespace, uid, resourceVersion } = picked.metadata;
  // @ts-expect-error not among the fields
  console.log(picked.metadata.creationTimestamp);
  return [
    ...[name, namespace, uid, resourceVersion, timed.metadata.creationTimestamp],
    ...[partial.metadata.namespace, partial.metadata.creationTimestamp, generated.metadata.uid],
  ];
}

/** Drafts need none of them. */
export async function drafts(deployment: Cached<Deployment>): Promise<void> {
  const spec = { containers: [{ name: "web", image: "nginx" }] };
  await client
    .resource(pods)
    .create({ metadata: { generateName: "web-", namespace: "shop" }, spec });
  await client
    .resource(pods)
    .in("shop")
    .create({ metadata: { generateName: "web-" }, spec });
  const draft: Draft<Database> = {
    metadata: { generateName: `${deployment.metadata.name}-` },
    spec: { engine: "mysql" },
  };
  await client.resource(databases).in(deployment.metadata.namespace).create(draft);
  await client.resource(nodes).create({ metadata: { name: "worker-1" } });
  const metadata = { namespace: "shop", name: "settings" };
  const settings = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "b" } } as const;
  await client.resource(configmaps).update(settings);
  // @ts-expect-error a draft cannot replace an object
  await client.resource(configmaps).update({ metadata, data: { a: "b" } });
  const claims = [
    { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce" as const] } },
  ];
  await client.resource(statefulsets).patch("shop/db", { spec: { volumeClaimTemplates: claims } });
  // @ts-expect-error a cluster-scoped object has no namespace
  await client.resource(nodes).create({ metadata: { name: "worker-1", namespace: "shop" } });
  // @ts-expect-error no such member
  await client.resource(pods).create({ metadata: { nam: "web" }, spec });
}
