// A shared informer in three stages. The second: a reflector, a queue and a store in front of the
// processor. All handlers share one watch and one store.
import { createClient, createConnection, httpListerWatcher } from "listwatch";
import { DeltaFIFO, Indexer, metaNamespaceKey, Reflector, type ListerWatcher } from "listwatch";
import { processDeltas, ProcessorListener, SharedProcessor } from "listwatch";
import type { ResourceEventHandler } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";
import { SimulatedClock } from "listwatch/testing";

// The processor's clock stands still, so that the order of the output is always the same.
const clock = new SimulatedClock();

class OwnInformer {
  readonly store = new Indexer<Pod>();
  readonly #queue = new DeltaFIFO({ knownObjects: this.store });
  readonly #processor = new SharedProcessor<Pod>({ clock });
  readonly #reflector: Reflector<Pod>;

  constructor(listerWatcher: ListerWatcher<Pod>) {
    this.#reflector = new Reflector({ listerWatcher, store: this.#queue });
  }

  addEventHandler(handler: ResourceEventHandler<Pod>): void {
    this.#processor.addListener(new ProcessorListener(handler, { clock }));
  }

  /** Keeps the store up to date and calls the handlers until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const running = [this.#reflector.run(signal), this.#processor.run(signal)];
    // A closed queue ends the loop once it is empty.
    signal.addEventListener("abort", () => this.#queue.close());
    for await (const { deltas, isInInitialList } of this.#queue) {
      processDeltas(deltas, isInInitialList, {
        store: this.store.keyed,
        keyFunc: metaNamespaceKey,
        notify: (event) => this.#processor.distribute(event),
      });
    }
    await Promise.all(running);
  }
}

const spec = { containers: [{ name: "main", image: "nginx" }] };
const web = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name: "web-0" }, spec };
const { fetch } = new FakeApiServer({ objects: [web] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const pods = createClient(connection).resource(resource).in("shop");

const stop = new AbortController();
const informer = new OwnInformer(httpListerWatcher({ connection, resource }));
informer.addEventHandler({
  onAdd: ({ metadata }) => console.log("first handler: added", metadata.name),
  onDelete: ({ key }) => console.log("first handler: deleted", key),
});
informer.addEventHandler({
  onAdd: ({ metadata }) => {
    console.log("second handler: added", metadata.name);
    if (metadata.name === "web-1") void pods.delete("web-0");
    else void pods.create({ metadata: { name: "web-1" }, spec });
  },
  onDelete: ({ key }) => {
    console.log("second handler: deleted", key);
    stop.abort();
  },
});
await informer.start(stop.signal);
console.log("store:", informer.store.listKeys().join(" "));
