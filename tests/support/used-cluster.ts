// A shared cluster: a fake API server over TLS, reached through a kubeconfig, with objects of other
// users. It behaves like a kube-apiserver without controllers.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createConnection, type Client } from "@listwatch/client";
import { objectName } from "@listwatch/core-fifo";
import { FakeApiServer, type AdmissionPlugin } from "@listwatch/fake-apiserver";
import { listen, type Listener } from "@listwatch/fake-apiserver/node";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { stringify } from "yaml";

/** A running cluster. Disposal ends it and removes its kubeconfig. */
export interface UsedCluster extends AsyncDisposable {
  readonly server: FakeApiServer;
  /** The administrator's client. */
  readonly client: Client;
  readonly url: string;
  /** Path of a kubeconfig whose current context is unreachable. */
  readonly kubeconfig: string;
  /** The kubeconfig's context for this cluster. */
  readonly context: string;
  /** Returns the other users' current objects: type, key and resourceVersion of each, sorted. */
  foreignObjects(): Promise<readonly string[]>;
  /** Returns the namespaces that neither belong to other users nor are terminating. */
  leftNamespaces(): Promise<readonly string[]>;
}

interface Deletable {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
}

const context = "used";
const token = "administrator";
const version = "v1";
const kinds = {
  configMaps: { group: "", version, resource: "configmaps" },
  leases: { group: "coordination.k8s.io", version, resource: "leases" },
  namespaces: { group: "", version, resource: "namespaces" },
  nodes: { group: "", version, resource: "nodes" },
  pods: { group: "", version, resource: "pods" },
  serviceAccounts: { group: "", version, resource: "serviceaccounts" },
  services: { group: "", version, resource: "services" },
};
// Two have the names of the examples' namespaces.
const teams = ["shop", "test"];
const foreignNamespaces = ["default", "kube-node-lease", "kube-public", "kube-system", ...teams];

export async function startUsedCluster(): Promise<UsedCluster> {
  const server = new FakeApiServer({
    // Without a namespace controller and a garbage collector, deleted namespaces stay terminating.
    namespaceDeletion: "never",
    garbageCollection: "never",
    users: { [token]: { username: "administrator", groups: ["system:masters"] } },
    admission: [requireServiceAccount()],
  });
  const headers = { authorization: `Bearer ${token}` };
  const connection = createConnection({ server: "http://used", fetch: server.fetch, headers });
  const client = createClient(connection);
  await fill(client);
  // The one controller that is required: it creates an object in every namespace.
  const factory = new SharedInformerFactory({ connection });
  factory.informer(kinds.namespaces).addEventHandler({
    onAdd: ({ metadata }) => publishAuthority(client, metadata?.name ?? ""),
  });
  factory.start();
  const listener = await listen(server, { tls: true });
  const folder = mkdtempSync(join(tmpdir(), "listwatch-used-"));
  const kubeconfig = join(folder, "config");
  writeFileSync(kubeconfig, await kubeconfigOf(listener), { mode: 0o600 });
  return {
    server,
    client,
    url: listener.url,
    kubeconfig,
    context,
    foreignObjects: () => foreignObjects(client),
    leftNamespaces: async () => {
      const { items } = await client.resource<Deletable>(kinds.namespaces).list();
      return items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata.name)
        .filter((name) => !foreignNamespaces.includes(name));
    },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
      await factory[Symbol.asyncDispose]();
      await listener.close();
    },
  };
}

/** Like kube-apiserver's plugin ServiceAccount: rejects pods whose account is missing. */
function requireServiceAccount(): AdmissionPlugin {
  const namespaces = new Set<string>();
  return {
    name: "ServiceAccount",
    match: { operations: ["CREATE"], apiGroups: [""], resources: ["pods", "serviceaccounts"] },
    validate({ name, namespace, resource }) {
      if (resource.resource === "serviceaccounts" && name === "default") namespaces.add(namespace);
      if (resource.resource === "serviceaccounts" || namespaces.has(namespace)) return undefined;
      const message = `error looking up service account ${namespace}/default: not found`;
      return { allowed: false, message };
    },
  };
}

async function fill(client: Client): Promise<void> {
  for (const name of teams) await client.resource(kinds.namespaces).create({ metadata: { name } });
  for (const namespace of foreignNamespaces) {
    const metadata = { namespace, name: "default" };
    await client.resource(kinds.serviceAccounts).create({ metadata });
  }
  // With the label of the examples, as left by a killed run.
  const labels = { "created-by": "listwatch-examples", app: "web" };
  const containers = [{ name: "main", image: "example" }];
  const foreignPods = ["kube-system/coredns", "shop/web-0", "shop/web-1", "test/web-0"];
  for (const [namespace, name] of foreignPods.map((key) => key.split("/"))) {
    await client.request({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/pods`,
      body: { metadata: { name, labels }, spec: { containers } },
    });
  }
  await client.resource(kinds.nodes).create({ metadata: { name: "worker-1" } });
  for (const namespace of ["default", "shop"]) {
    await client.resource(kinds.configMaps).create({ metadata: { namespace, name: "flags" } });
    for (const name of ["greeter", "my-operator", "worker-1"]) {
      await client.resource(kinds.leases).create({ metadata: { namespace, name } });
    }
    await client.request({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/services`,
      body: { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } },
    });
  }
  for (const name of foreignNamespaces) await publishAuthority(client, name);
}

/** Creates the config map that kube-controller-manager puts into each namespace. */
async function publishAuthority(client: Client, namespace: string): Promise<void> {
  const metadata = { namespace, name: "kube-root-ca.crt" };
  await client
    .resource(kinds.configMaps)
    .apply(
      { apiVersion: "v1", kind: "ConfigMap", metadata },
      { fieldManager: "root-ca-cert-publisher" },
    );
}

async function foreignObjects(client: Client): Promise<readonly string[]> {
  const found: string[] = [];
  for (const resource of Object.values(kinds)) {
    for (const object of (await client.resource(resource).list()).items) {
      const { namespace, name } = objectName(object);
      if (!foreignNamespaces.includes(namespace || name) && resource !== kinds.nodes) continue;
      found.push(`${resource.resource} ${namespace}/${name} ${object.metadata?.resourceVersion}`);
    }
  }
  return found.toSorted();
}

async function kubeconfigOf({ tls, url }: Listener): Promise<string> {
  if (tls === undefined) throw new Error("Expected a listener with TLS, got one without");
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const user = { username: "administrator", groups: ["system:masters"] };
  const { certificate, key } = await tls.issueClientCertificate(user);
  const entry = { "certificate-authority-data": base64(tls.authority), server: url };
  const credentials = {
    "client-certificate-data": base64(certificate),
    "client-key-data": base64(key),
  };
  // Reached by a program that ignores its context.
  const nowhere = { server: "https://127.0.0.1:1" };
  const names = { cluster: "nowhere", user: "administrator" };
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "nowhere",
    clusters: [
      { name: context, cluster: entry },
      { name: "nowhere", cluster: nowhere },
    ],
    users: [{ name: "administrator", user: credentials }],
    contexts: [
      { name: context, context: { ...names, cluster: context } },
      { name: "nowhere", context: names },
    ],
  });
}
