// A shared informer in three stages. The second: a reflector, a queue and a store in front of the
// processor. All handlers share one watch and one store.
import { DeltaFIFO, metaNamespaceKey } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { Reflector, type ListerWatcher } from "@listwatch/reflector";
import {
  processDeltas,
  ProcessorListener,
  SharedProcessor,
  type ResourceEventHandler,
} from "@listwatch/shared-informer";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, pods, type Pod } from "../support/pods.ts";

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

const stop = new AbortController();
const informer = new OwnInformer(pods);
informer.addEventHandler({
  onAdd: ({ metadata }) => console.log("first handler: added", metadata.name),
  onDelete: ({ key }) => console.log("first handler: deleted", key),
});
informer.addEventHandler({
  onAdd: ({ metadata }) => {
    console.log("second handler: added", metadata.name);
    void (metadata.name === "web-0" ? createPod("shop/web-1") : deletePod("shop/web-0"));
  },
  onDelete: ({ key }) => {
    console.log("second handler: deleted", key);
    stop.abort();
  },
});
await createPod("shop/web-0");
await informer.start(stop.signal);
console.log("store:", informer.store.listKeys().join(" "));
