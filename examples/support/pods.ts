// The pods of the examples, written as with kubectl, in the namespaces of the example.
import { createClient, defineResource, type Resource } from "@listwatch/client";
import type { Key } from "@listwatch/core-fifo";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";
import { connection, labels, labelSelector, ownNamespace } from "./cluster.ts";

/** The part of a pod that the examples read. */
export interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

export const resource: Resource<Pod> = defineResource({
  group: "",
  version: "v1",
  resource: "pods",
  kind: "Pod",
  scope: "Namespaced",
});

/** Lists and watches the pods of the example in all namespaces. */
export const pods: ListerWatcher<Pod> = httpListerWatcher({ connection, resource, labelSelector });

const client = createClient(connection).resource(resource);

/**
 * `kubectl run` for a pod such as `shop/web-1`. Because of the gate, the scheduler ignores the pod:
 * only the example changes it, and a delete removes it at once.
 */
export async function createPod(key: string, more: Record<string, string> = {}): Promise<void> {
  const [namespace = "", name = ""] = (await ownKey(key)).split("/");
  const metadata = { namespace, name, labels: { ...labels, ...more } };
  const containers = [{ name: "main", image: "example" }];
  const spec = { containers, schedulingGates: [{ name: "example.com/never" }] };
  await client.create({ metadata, spec });
}

/** `kubectl label --overwrite`. */
export async function labelPod(key: string, more: Record<string, string>): Promise<void> {
  await client.patch(await ownKey(key), { metadata: { labels: more } });
}

/** `kubectl delete pod`. */
export async function deletePod(key: string): Promise<void> {
  await client.delete(await ownKey(key));
}

/** The key in the example's namespace, which is created when it is first needed. */
async function ownKey(key: string): Promise<Key<"Namespaced">> {
  const [namespace = "", name = ""] = key.split("/");
  return `${await ownNamespace(namespace)}/${name}`;
}
