// A factory of informers by resource: however often an informer is requested, there is only one,
// with one watch and one cache.
import type { Connection, ResourceReference } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { connection, labelSelector } from "../support/cluster.ts";
import { createPod } from "../support/pods.ts";
import { serve } from "../support/serve.ts";

class OwnFactory {
  readonly #informers = new Map<string, SharedInformer>();
  readonly #connection: Connection;

  constructor(cluster: Connection) {
    this.#connection = cluster;
  }

  podInformer(): SharedInformer {
    return this.informer({ group: "", version: "v1", resource: "pods" });
  }

  informer(resource: ResourceReference): SharedInformer {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      const options = { connection: this.#connection, labelSelector, resource };
      informer = new SharedInformer({ listerWatcher: httpListerWatcher(options), name: key });
      this.#informers.set(key, informer);
    }
    return informer;
  }

  /** Runs all requested informers until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#informers.values()].map((informer) => informer.run(signal)));
  }
}

const nameOf = ({ metadata }: KubernetesObject): string => metadata?.name ?? "";

await createPod("shop/web-0");
await createPod("shop/web-1");
const stop = new AbortController();
const factory = new OwnFactory(connection);
const pods = factory.podInformer();
console.log("one informer:", factory.podInformer() === pods);
const registration = pods.addEventHandler({ onAdd: (pod) => console.log("added", nameOf(pod)) });
const ended = factory.start(stop.signal);
// The informer's `synced` means that the cache has the list, this one that the handler has it.
await registration.synced;

const endpoint = await serve(() => Response.json(pods.store.list()));
const response = await endpoint.fetch("/");
const objects = (await response.json()) as KubernetesObject[];
console.log("GET /", objects.map(nameOf).toSorted().join(" "));
await endpoint.close();
stop.abort();
await ended;
