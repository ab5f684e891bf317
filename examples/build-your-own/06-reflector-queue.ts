// A reflector writes what it lists and watches into a DeltaFIFO, and the program pops by hand.
import { DeltaFIFO } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, pods, type Pod } from "../support/cluster.ts";

// Without known objects the queue knows only what waits in it: once a pod has been popped, its
// deletion means nothing to the queue and is dropped. A store that the pop loop keeps up to date
// tells the queue that the pod exists.
for (const store of [undefined, new Indexer<Pod>()]) {
  console.log(store === undefined ? "Without known objects:" : "With known objects:");
  await createPod("shop/web-0");
  await createPod("shop/web-1");

  const queue = new DeltaFIFO({ knownObjects: store });
  const reflector = new Reflector({ listerWatcher: pods, store: queue });
  const stop = new AbortController();
  const reflecting = reflector.run(stop.signal);

  const popOne = () =>
    queue.pop((deltas) => {
      for (const delta of deltas) {
        console.log(`  ${delta.type} ${queue.keyOf(delta.object)}`);
        if (delta.type === "Deleted") store?.delete(delta.object);
        else store?.update(delta.object);
      }
    });

  await popOne();
  await popOne();
  await deletePod("shop/web-0");
  await deletePod("shop/web-1");
  // Comes after the deletions, so that there is something to wait for if they are lost.
  await createPod("shop/web-2");
  while (queue.keyOf(await popOne()) !== "shop/web-2");

  stop.abort();
  await reflecting;
  await deletePod("shop/web-2");
}
