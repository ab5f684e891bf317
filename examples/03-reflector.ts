// List only, watch only, then both: a reflector into a DeltaFIFO that is popped by hand.
import { DeltaFIFO } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, pods, type Pod } from "./support/cluster.ts";

const { signal } = new AbortController();
await createPod("shop/web-1");
const list = await pods.list({}, { signal });
for await (const items of list.items) {
  for (const pod of [items].flat()) console.log("listed", pod.metadata.name);
}
const resourceVersion = list.metadata?.resourceVersion ?? "";
await createPod("shop/web-2");
for await (const events of await pods.watch({ resourceVersion }, { signal })) {
  for (const event of [events].flat()) {
    if (event.type === "ADDED") console.log("watched", event.type, event.object.metadata.name);
  }
  break;
}

for (const indexer of [undefined, new Indexer<Pod>()]) {
  console.log(indexer === undefined ? "a queue alone" : "a queue with an indexer");
  const queue = new DeltaFIFO<Pod>({ knownObjects: indexer });
  await using reflector = new Reflector<Pod>({ listerWatcher: pods, store: queue });
  void reflector.run();
  const pop = () =>
    queue.pop(([delta]) => {
      if (delta === undefined) return;
      console.log(" ", delta.type, delta.key);
      if (delta.type === "Deleted") indexer?.delete(delta.object);
      else indexer?.update(delta.object);
    });
  await Promise.all([pop(), pop()]);
  // Without an indexer the queue forgets the popped pod, and its delete is lost.
  await deletePod("shop/web-2");
  await createPod("shop/web-2");
  await pop();
}
