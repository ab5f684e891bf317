// A listener fed by hand; a shared processor with two handlers; that behind a list and watch, a
// shared informer by hand.
import { metaNamespaceKey, RealFIFO } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { processDeltas, ProcessorListener, SharedProcessor } from "@listwatch/shared-informer";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, pods, type Pod } from "./support/cluster.ts";

const web1: Pod = { metadata: { namespace: "shop", name: "web-1" } };
const listener = new ProcessorListener<Pod>({
  onAdd: ({ metadata }) => console.log("by hand: added", metadata.name),
});
listener.start();
listener.push({ type: "add", key: "shop/web-1", object: web1, isInInitialList: false });
await Promise.resolve();
await listener.stop();

const processor = new SharedProcessor<Pod>();
const stop = new AbortController();
for (const name of ["first", "second"]) {
  const onAdd = ({ metadata }: Pod): void => {
    console.log(`${name} handler: added ${metadata.name}`);
    if (name === "first") return;
    if (metadata.name === "web-1") void createPod("shop/web-2");
    else stop.abort();
  };
  processor.addListener(new ProcessorListener<Pod>({ onAdd }, { name }));
}
await createPod("shop/web-1");
const store = new Indexer<Pod>().keyed;
const notify = processor.distribute.bind(processor);
const queue = new RealFIFO<Pod>();
const reflecting = new Reflector<Pod>({ listerWatcher: pods, store: queue }).run(stop.signal);
const ended = Promise.all([processor.run(stop.signal), reflecting.then(() => queue.close())]);
for await (const { deltas, isInInitialList } of queue) {
  processDeltas(deltas, isInInitialList, { store, keyFunc: metaNamespaceKey, notify });
}
await ended;
