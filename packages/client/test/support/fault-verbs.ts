import { defineResource, type Client, type RequestOptions } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ApiObject } from "@listwatch/fake-apiserver";

/** Verbs that react to every fault in the same way. */
export type VerbKind = "read" | "write" | "evict" | "list" | "items" | "watch" | "log";

/** A column of the matrix. */
export interface Verb {
  readonly name: string;
  readonly kind: VerbKind;
  readonly stores: boolean;
  /** Resolves with whether the result is complete. */
  readonly call: (client: Client, options: RequestOptions) => Promise<boolean>;
}

export const logText = "one line of a log\ntwo lines of a log\nthe last line of a log\n";

const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const workloads = defineResource<KubernetesObject & { spec: object; status?: object }>({
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  scope: "Namespaced",
});
const allPods = { group: "", version: "v1", resource: "pods", kind: "Pod" };
const accounts = { group: "", version: "v1", resource: "serviceaccounts", kind: "ServiceAccount" };
const inDefault = { namespace: "default" };

function pod(name: string, spec: object): ApiObject {
  const containers = [{ name: "main", image: "web" }];
  const metadata = { ...inDefault, name };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { containers, ...spec } };
}

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { ...inDefault, name: "web" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "web" }] },
    },
  },
};

/** The content of the server before each cell. */
export const objects: readonly ApiObject[] = [
  ...["a", "b"].map((name) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { ...inDefault, name, labels: { app: "x" } },
    data: { text: "a text" },
  })),
  deployment,
  pod("on-node", { nodeName: "n1" }),
  pod("waiting", {}),
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { ...inDefault, name: "robot" } },
];

const map = { metadata: { ...inDefault, name: "a" }, data: { text: "another text" } };
const selection = { ...inDefault, labelSelector: "app=x" };

function isNamed(object: unknown, name: string): boolean {
  return (object as { metadata?: { name?: string } }).metadata?.name === name;
}

type Call = Verb["call"];

function verb(name: string, kind: VerbKind, call: Call, stores = true): Verb {
  return { name, kind, call, stores: stores && (kind === "write" || kind === "evict") };
}

function write(name: string, call: (client: Client, options: RequestOptions) => Promise<unknown>) {
  return verb(name, "write", async (client, options) => {
    await call(client, options);
    return true;
  });
}

/** The columns of the matrix: every kind of request that a client sends. */
export const verbs: readonly Verb[] = [
  verb("get", "read", async (client, options) =>
    isNamed(await client.resource(maps).get("default/a", options), "a"),
  ),
  verb("subresource get", "read", async (client, options) => {
    const scales = client.resource(workloads).subresource("scale");
    return isNamed(await scales.get("default/web", options), "web");
  }),
  verb("request", "read", async (client, options) => {
    const version = await client.request({ method: "GET", path: "/version", ...options });
    return "gitVersion" in (version as object);
  }),
  verb("list", "list", async (client, { signal }) => {
    const { items } = await client.resource(maps).list({ ...selection, signal });
    return items.length === 2;
  }),
  verb("items", "items", async (client, { signal }) => {
    let count = 0;
    for await (const item of client.resource(maps).items({ ...selection, signal })) {
      if (isNamed(item, ["a", "b"][count] ?? "")) count++;
    }
    return count === 2;
  }),
  verb("watch", "watch", async (client, { signal }) => {
    for await (const event of client.resource(maps).watch({ ...selection, signal })) {
      if (event.type === "ADDED") return isNamed(event.object, "a");
    }
    return false;
  }),
  verb("log", "log", async (client, { signal }) => {
    const log = await client.resource(allPods).log("default/on-node", { signal });
    return (await log.text()) === logText;
  }),
  write("create", (client, options) =>
    client.resource(maps).create({ metadata: { ...inDefault, name: "new" } }, options),
  ),
  write("update", (client, options) => client.resource(maps).update(map, options)),
  write("updateStatus", (client, options) => {
    const status = { observedGeneration: 1, replicas: 1 };
    return client.resource(workloads).updateStatus({ ...deployment, status }, options);
  }),
  write("patch", (client, options) =>
    client.resource(maps).patch("default/a", { data: { more: "1" } }, options),
  ),
  write("patchStatus", (client, options) => {
    const patch = { status: { replicas: 1 } };
    return client.resource(workloads).patchStatus("default/web", patch, options);
  }),
  write("apply", (client, options) =>
    client.resource(maps).apply({ metadata: { ...inDefault, name: "applied" } }, options),
  ),
  write("delete", (client, options) => client.resource(maps).delete("default/a", options)),
  write("deleteCollection", (client, options) =>
    client.resource(maps).deleteCollection({ ...selection, ...options }),
  ),
  write("subresource update", (client, options) => {
    const scale = {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { ...inDefault, name: "web" },
      spec: { replicas: 2 },
    };
    const scales = client.resource(workloads).subresource("scale");
    return scales.update("default/web", scale, options);
  }),
  write("scale", (client, options) => client.resource(workloads).scale("default/web", 3, options)),
  write("bind", (client, options) =>
    client.resource(allPods).bind("default/waiting", "n1", options),
  ),
  verb(
    "token",
    "write",
    async (client, options) => {
      const { token } = await client.resource(accounts).token("default/robot", options);
      return token !== "";
    },
    false,
  ),
  verb("evict", "evict", async (client, options) => {
    await client.resource(allPods).evict("default/on-node", options);
    return true;
  }),
];
