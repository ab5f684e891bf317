// A factory of informers by resource: however often an informer is requested, there is only one,
// with one watch and one cache.
import { createConnection, httpListerWatcher, SharedInformer } from "listwatch";
import type { Connection, KubernetesObject, ResourceReference } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";

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
      const options = { connection: this.#connection, resource };
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

const objects = ["web-0", "web-1"].map((name) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "shop", name },
  spec: { containers: [{ name: "main", image: "nginx" }] },
}));
const { fetch } = new FakeApiServer({ objects }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });

const stop = new AbortController();
const factory = new OwnFactory(connection);
const pods = factory.podInformer();
console.log("one informer:", factory.podInformer() === pods);
const registration = pods.addEventHandler({ onAdd: (pod) => console.log("added", nameOf(pod)) });
const ended = factory.start(stop.signal);
// The informer's `synced` means that the cache has the list, this one that the handler has it.
await registration.synced;

// `Deno.serve`, `Bun.serve` and other servers take such a function; here the program calls it.
function handle(): Response {
  return Response.json(pods.store.list());
}
const answer = (await handle().json()) as KubernetesObject[];
console.log("GET /", answer.map(nameOf).toSorted().join(" "));
stop.abort();
await ended;
