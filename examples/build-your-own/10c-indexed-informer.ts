// A shared informer in three stages. The third: its store is an indexer, and a server answers with
// the keys of an index value.
import { DeltaFIFO, metaNamespaceKey } from "@listwatch/core-fifo";
import { Reflector, type ListerWatcher } from "@listwatch/reflector";
import {
  processDeltas,
  ProcessorListener,
  SharedProcessor,
  type ResourceEventHandler,
} from "@listwatch/shared-informer";
import { Indexer, namespaceIndex } from "@listwatch/store-indexer";
import { createPod, pods, type Pod } from "../support/pods.ts";
import { serve } from "../support/serve.ts";

class OwnInformer {
  readonly indexer = new Indexer({
    indexers: { ...namespaceIndex, app: (pod: Pod) => pod.metadata.labels?.["app"] },
  });
  readonly #queue = new DeltaFIFO({ knownObjects: this.indexer });
  readonly #processor = new SharedProcessor<Pod>();
  readonly #reflector: Reflector<Pod>;

  constructor(listerWatcher: ListerWatcher<Pod>) {
    this.#reflector = new Reflector({ listerWatcher, store: this.#queue });
  }

  addEventHandler(handler: ResourceEventHandler<Pod>): void {
    this.#processor.addListener(new ProcessorListener(handler));
  }

  /** Keeps the indexer up to date and calls the handlers until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const running = [this.#reflector.run(signal), this.#processor.run(signal)];
    // A closed queue ends the loop once it is empty.
    signal.addEventListener("abort", () => this.#queue.close());
    for await (const { deltas, isInInitialList } of this.#queue) {
      processDeltas(deltas, isInInitialList, {
        store: this.indexer.keyed,
        keyFunc: metaNamespaceKey,
        notify: (event) => this.#processor.distribute(event),
      });
    }
    await Promise.all(running);
  }
}

await createPod("shop/web-0", { app: "web" });
await createPod("shop/db-0", { app: "db" });

const stop = new AbortController();
const informer = new OwnInformer(pods);
const added = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd: ({ metadata }) => {
    if (metadata.name === "web-1") added.resolve();
  },
});
const ended = informer.start(stop.signal);
await createPod("shop/web-1", { app: "web" });
await added.promise;

const endpoint = await serve(() => Response.json(informer.indexer.indexKeys("app", "web")));
console.log("GET /", await (await endpoint.fetch("/")).text());
await endpoint.close();
stop.abort();
await ended;
