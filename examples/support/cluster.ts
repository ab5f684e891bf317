// The cluster of the examples: a fake API server in the same program, asked over `fetch` like any
// other. With the argument `--server URL` it is the API server at that address, asked without
// credentials, as `kubectl proxy` offers it.
import {
  createClient,
  createConnection,
  defineResource,
  type Connection,
  type Resource,
} from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";
import { argument } from "./arguments.ts";
import { inNamespace, useServer } from "./server.ts";

/** As much of a pod as the examples read. */
export interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

if (argument("context") !== undefined) {
  throw new Error(
    "Cannot use --context: this version reads no kubeconfig. " +
      "Run `kubectl proxy --context NAME` and pass `--server http://127.0.0.1:8001`",
  );
}
const given = argument("server");

export const server: string = given ?? "http://cluster";
export const cluster: FakeApiServer = new FakeApiServer();
export const connection: Connection = createConnection(
  given === undefined ? { server, fetch: cluster.fetch } : { server },
);
export const resource: Resource<Pod> = defineResource<Pod>({
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  scope: "Namespaced",
});

// A cluster has pods of others too, so the examples list and watch by a label of their own.
const labels = { "created-by": "listwatch-examples" };
export const labelSelector = "created-by=listwatch-examples";

/** Lists and watches the pods of the examples in all namespaces. */
export const pods: ListerWatcher<Pod> = httpListerWatcher({ connection, resource, labelSelector });

const podClient = createClient(connection).resource(resource);
if (given !== undefined) await useServer(connection, labels);

/**
 * `kubectl run` for a pod such as `shop/web-1`. The gate keeps the scheduler from it: nothing but
 * the example changes the pod, and a delete removes it at once.
 */
export async function createPod(key: string, more: Record<string, string> = {}): Promise<void> {
  const [namespace = "", name = ""] = key.split("/");
  const metadata = { namespace, name, labels: { ...labels, ...more } };
  const containers = [{ name: "main", image: "example" }];
  const spec = { containers, schedulingGates: [{ name: "example.com/never" }] };
  const create = async () => podClient.create({ metadata, spec } as Pod);
  await (given === undefined ? create() : inNamespace(namespace, create));
}

/** `kubectl label --overwrite`. */
export async function labelPod(key: string, more: Record<string, string>): Promise<void> {
  await podClient.patch(key, { metadata: { labels: more } });
}

/** `kubectl delete pod`. */
export async function deletePod(key: string): Promise<void> {
  await podClient.delete(key);
}
