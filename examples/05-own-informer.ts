// A minimal informer by hand: a reflector, a queue, a store and one handler.
import { metaNamespaceKey, RealFIFO } from "@listwatch/core-fifo";
import { Reflector, type ListerWatcher } from "@listwatch/reflector";
import { processDeltas, type InformerEvent } from "@listwatch/shared-informer";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, pods, type Pod } from "./support/cluster.ts";

class OwnInformer {
  readonly store = new Indexer<Pod>();
  readonly #queue = new RealFIFO<Pod>();
  readonly #reflector: Reflector<Pod>;
  readonly #notify: (notification: InformerEvent<Pod>) => void;

  constructor(listerWatcher: ListerWatcher<Pod>, notify: (change: InformerEvent<Pod>) => void) {
    this.#reflector = new Reflector<Pod>({ listerWatcher, store: this.#queue });
    this.#notify = notify;
  }

  async run(signal: AbortSignal): Promise<void> {
    const reflecting = this.#reflector.run(signal).finally(() => this.#queue.close());
    const target = { store: this.store.keyed, keyFunc: metaNamespaceKey, notify: this.#notify };
    for await (const { deltas, isInInitialList } of this.#queue) {
      processDeltas(deltas, isInInitialList, target);
    }
    await reflecting;
  }
}

const stop = new AbortController();
await createPod("shop/web-1");
const informer = new OwnInformer(pods, ({ type, key }) => {
  console.log(type, key);
  if (type === "delete") stop.abort();
  else if (key === "shop/web-1") void createPod("shop/web-2");
  else void deletePod("shop/web-1");
});
await informer.run(stop.signal);
console.log("store:", informer.store.listKeys().join(" "));
