// The loop at the heart of an informer: every type of delta is printed and keeps a store up to
// date.
import { DeltaFIFO } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, labelPod, pods, type Pod } from "./support/cluster.ts";

await createPod("shop/web-1");
const store = new Indexer<Pod>();
const queue = new DeltaFIFO<Pod>({ knownObjects: store, emitDeltaTypeReplaced: true });
await using reflector = new Reflector<Pod>({ listerWatcher: pods, store: queue });
void reflector.run();

const popOne = () =>
  queue.pop((deltas) => {
    for (const delta of deltas) {
      if (delta.type === "Deleted") store.delete(delta.object);
      else store.update(delta.object);
      console.log(`Type: ${delta.type} Name: ${delta.key}`);
    }
  });

await popOne();
await createPod("shop/web-2");
await popOne();
await labelPod("shop/web-2", { app: "web" });
await popOne();
queue.resync();
await popOne();
await popOne();
await deletePod("shop/web-1");
await popOne();
console.log("store:", store.listKeys().join(" "));
