// List only, then watch only: the two requests that all the rest is made of. A Collection makes
// them and retries nothing; a reflector takes it as its lister-watcher and does the rest.
import { Collection, type WatchEvent } from "@listwatch/client";
import { connection, labelSelector, ownNamespace } from "../support/cluster.ts";
import { createPod, deletePod, labelPod, resource, type Pod } from "../support/pods.ts";

const namespace = await ownNamespace("shop");
const pods = new Collection({ connection, resource, namespace, labelSelector });
const { signal } = new AbortController();

await createPod("shop/web-0");
await createPod("shop/web-1");

// A list arrives in batches. What changes after it is not in it.
const list = await pods.list({}, { signal });
for await (const batch of list.items) {
  for (const pod of batch) console.log("listed", pod.metadata.name);
}
await createPod("shop/web-2");
await labelPod("shop/web-2", { app: "web" });
await deletePod("shop/web-1");

async function printUntilDelete(events: AsyncIterable<readonly WatchEvent<Pod>[]>): Promise<void> {
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === "BOOKMARK" || event.type === "ERROR") continue;
      // A pod that is deleted is marked first, so that its node stops it: MODIFIED, then DELETED.
      console.log("watched", event.type, event.object.metadata.name);
      // Leaving the loop closes the watch, which has no end of its own.
      if (event.type === "DELETED") return;
    }
  }
}

// A watch from the resourceVersion of a list misses nothing, although it begins later.
console.log("watch from the list");
const resourceVersion = list.metadata?.resourceVersion;
await printUntilDelete(await pods.watch({ resourceVersion }, { signal }));

// A watch from nowhere begins with what is there, and does not say which pods are gone.
console.log("watch from nowhere");
const events = await pods.watch({}, { signal });
await deletePod("shop/web-2");
await printUntilDelete(events);
