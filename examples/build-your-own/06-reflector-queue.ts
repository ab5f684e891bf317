// A reflector lists and watches, and writes into a DeltaFIFO. The program pops by hand.
import { createClient, createConnection, httpListerWatcher } from "listwatch";
import { DeltaFIFO, Indexer, Reflector } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer({ namespaces: "permissive" }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const listerWatcher = httpListerWatcher({ connection, resource });
const pods = createClient(connection).resource(resource).in("shop");
const spec = { containers: [{ name: "main", image: "nginx" }] };

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
    const reflecting = new Reflector({ listerWatcher, store: queue }).run(stop.signal);
    await popUntil(last);
    stop.abort();
    await reflecting;
  }

  await pods.create({ metadata: { name: "web-0" }, spec });
  await pods.create({ metadata: { name: "web-1" }, spec });
  await reflectUntil("shop/web-1");
  // No watch sees these deletions: the next reflector starts with a list, which is a replace.
  await pods.delete("web-0");
  await pods.delete("web-1");
  await pods.create({ metadata: { name: "web-2" }, spec });
  // Deleted pods follow the existing ones.
  await reflectUntil(store === undefined ? "shop/web-2" : "shop/web-1");
  await pods.delete("web-2");
}
