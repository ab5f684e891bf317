// The cluster of the examples: a fake API server in the same program, asked over `fetch` like any
// other.
import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";

/** As much of a pod as the examples read. */
export interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

export const cluster: FakeApiServer = new FakeApiServer();
export const server = "http://cluster";
export const resource = { group: "", version: "v1", resource: "pods" } as const;

/** Lists and watches the pods of all namespaces. */
export const pods: ListerWatcher<Pod> = httpListerWatcher<Pod>({
  connection: createConnection({ server, fetch: cluster.fetch }),
  resource,
});

/** `kubectl run` for a pod such as `shop/web-1`. */
export async function createPod(key: string, labels: Record<string, string> = {}): Promise<void> {
  const [namespace, name] = key.split("/");
  const spec = { containers: [{ name: "main", image: "example" }] };
  await send("POST", `${namespace}/pods`, { metadata: { name, labels }, spec });
}

/** `kubectl label --overwrite`. */
export async function labelPod(key: string, labels: Record<string, string>): Promise<void> {
  await send("PATCH", key.replace("/", "/pods/"), { metadata: { labels } });
}

/** `kubectl delete pod`. */
export async function deletePod(key: string): Promise<void> {
  await send("DELETE", key.replace("/", "/pods/"));
}

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const request = new Request(`${server}/api/v1/namespaces/${path}`, {
    method,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await cluster.fetch(request);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}
