// A reflector lists and watches, and writes into a DeltaFIFO. The program pops by hand.
import { DeltaFIFO } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, pods, type Pod } from "../support/pods.ts";
import { ownNamespace } from "../support/cluster.ts";

const shop = await ownNamespace("shop");

// Without known objects the queue knows only its items. A popped pod that is missing from the next
// list is unknown to it, and the deletion is lost. A store that the pop loop keeps up to date tells
// the queue which pods exist.
for (const store of [undefined, new Indexer<Pod>()]) {
  console.log(store === undefined ? "Without known objects:" : "With known objects:");
  const queue = new DeltaFIFO({ knownObjects: store });

  async function popUntil(last: string): Promise<void> {
    const popped = await queue.pop((deltas) => {
      for (const delta of deltas) {
        console.log(`  ${delta.type} ${queue.keyOf(delta.object)}`);
        if (delta.type === "Deleted") store?.delete(delta.object);
        else store?.update(delta.object);
      }
    });
    if (queue.keyOf(popped) !== last) await popUntil(last);
  }
  async function reflectUntil(last: string): Promise<void> {
    const stop = new AbortController();
    const reflecting = new Reflector({ listerWatcher: pods, store: queue }).run(stop.signal);
    await popUntil(last);
    stop.abort();
    await reflecting;
  }

  await createPod("shop/web-0");
  await createPod("shop/web-1");
  await reflectUntil(`${shop}/web-1`);
  // No watch sees these deletions: the next reflector starts with a list, which is a replace.
  await deletePod("shop/web-0");
  await deletePod("shop/web-1");
  await createPod("shop/web-2");
  // Deleted pods follow the existing ones.
  await reflectUntil(store === undefined ? `${shop}/web-2` : `${shop}/web-1`);
  await deletePod("shop/web-2");
}
