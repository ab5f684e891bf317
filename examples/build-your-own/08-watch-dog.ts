// A watch dog: an informer for one handler. A reflector fills a queue, and a loop empties it into a
// store and calls the handler.
import { DeletedFinalStateUnknown, DeltaFIFO, type ObjectDelta } from "@listwatch/core-fifo";
import { Reflector, type ListerWatcher } from "@listwatch/reflector";
import type { ResourceEventHandler } from "@listwatch/shared-informer";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, labelPod, pods, type Pod } from "../support/pods.ts";

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

  #process(delta: ObjectDelta<Pod>, isInInitialList: boolean): void {
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

const stop = new AbortController();
const watchDog = new WatchDog(pods, {
  onAdd: ({ metadata }, isInInitialList) => {
    console.log(`onAdd    ${metadata.name}, in the initial list: ${isInInitialList}`);
    void (isInInitialList ? createPod("shop/web-1") : labelPod("shop/web-1", { app: "web" }));
  },
  onUpdate: (old, pod) => {
    const apps = [old, pod].map(({ metadata }) => metadata.labels?.["app"] ?? "none");
    console.log(`onUpdate ${pod.metadata.name}, app: ${apps.join(" -> ")}`);
    // The last update of a pod marks it for deletion.
    if (pod.metadata.deletionTimestamp === undefined) void deletePod("shop/web-0");
  },
  onDelete: ({ key, stale }) => {
    console.log(`onDelete ${key}, final state unknown: ${stale}`);
    stop.abort();
  },
});
await createPod("shop/web-0");
await watchDog.run(stop.signal);
console.log("store:", watchDog.store.listKeys().join(" "));
