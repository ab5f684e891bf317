// A watch dog: an informer for one handler. A reflector fills a queue, and a loop empties it into a
// store and calls the handler.
import { createClient, createConnection, httpListerWatcher, Indexer, Reflector } from "listwatch";
import { DeletedFinalStateUnknown, DeltaFIFO, type ObjectDelta } from "listwatch";
import type { Cached, ListerWatcher, ResourceEventHandler } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

class WatchDog {
  readonly store = new Indexer<Pod>();
  readonly #queue = new DeltaFIFO({ knownObjects: this.store });
  readonly #reflector: Reflector<Pod>;
  readonly #handler: ResourceEventHandler<Pod>;

  constructor(listerWatcher: ListerWatcher<Pod>, handler: ResourceEventHandler<Pod>) {
    this.#reflector = new Reflector({ listerWatcher, store: this.#queue });
    this.#handler = handler;
  }

  async run(signal: AbortSignal): Promise<void> {
    const reflecting = this.#reflector.run(signal);
    // A closed queue ends the loop once it is empty.
    signal.addEventListener("abort", () => this.#queue.close());
    for await (const { deltas, isInInitialList } of this.#queue) {
      for (const delta of deltas) this.#process(delta, isInInitialList);
    }
    await reflecting;
  }

  #process(delta: ObjectDelta<Cached<Pod>>, isInInitialList: boolean): void {
    // The store changes first: a handler finds its object in the store.
    const key = this.#queue.keyOf(delta.object);
    const old = this.store.getByKey(key);
    if (delta.type === "Deleted") {
      this.store.delete(delta.object);
      if (delta.object instanceof DeletedFinalStateUnknown) {
        this.#handler.onDelete?.({ stale: true, key, object: delta.object.object });
      } else {
        this.#handler.onDelete?.({ stale: false, key, object: delta.object });
      }
      return;
    }
    // Added, Updated, Replaced or Sync: the store decides between add and update, because a list
    // does not show which objects are new.
    this.store.update(delta.object);
    if (old === undefined) this.#handler.onAdd?.(delta.object, isInInitialList);
    else this.#handler.onUpdate?.(old, delta.object);
  }
}

const spec = { containers: [{ name: "main", image: "nginx" }] };
const web = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name: "web-0" }, spec };
const { fetch } = new FakeApiServer({ objects: [web] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const pods = createClient(connection).resource(resource).in("shop");

const stop = new AbortController();
const watchDog = new WatchDog(httpListerWatcher({ connection, resource }), {
  onAdd: ({ metadata }, isInInitialList) => {
    console.log(`onAdd    ${metadata.name}, in the initial list: ${isInInitialList}`);
    if (isInInitialList) void pods.create({ metadata: { name: "web-1" }, spec });
    else void pods.patch("web-1", { metadata: { labels: { app: "web" } } });
  },
  onUpdate: (old, pod) => {
    const apps = [old, pod].map(({ metadata }) => metadata.labels?.["app"] ?? "none");
    console.log(`onUpdate ${pod.metadata.name}, app: ${apps.join(" -> ")}`);
    // The last update of a pod marks it for deletion.
    if (pod.metadata.deletionTimestamp === undefined) void pods.delete("web-0");
  },
  onDelete: ({ key, stale }) => {
    console.log(`onDelete ${key}, final state unknown: ${stale}`);
    stop.abort();
  },
});
await watchDog.run(stop.signal);
console.log("store:", watchDog.store.listKeys().join(" "));
