// The controller by hand: handlers put keys in a work queue, a worker takes one after the other.
//
// Keys have three advantages over deltas. A waiting key is not queued twice, so any number of
// changes costs one sync. The sync reads the newest state from the indexer, so a retry never works
// on an older one. A queue of keys keeps no objects in memory.
import { createClient, createConnection, httpListerWatcher } from "listwatch";
import { metaNamespaceKey, SharedInformer, WorkQueue } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource } from "listwatch/resources/core/v1";

const metadata = { namespace: "shop", name: "web-0", labels: { step: "1" } };
const spec = { containers: [{ name: "main", image: "nginx" }] };
const web = { apiVersion: "v1", kind: "Pod", metadata, spec };
const { fetch } = new FakeApiServer({ objects: [web] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const pods = createClient(connection).resource(resource).in("shop");

const queue = new WorkQueue<string>();
const informer = new SharedInformer({ listerWatcher: httpListerWatcher({ connection, resource }) });
const indexer = informer.store;
const [lastStep, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

function enqueue(callback: string, key: string): void {
  // The indexer changes before the handler is called: a sync finds this state or a newer one.
  console.log(`${callback} ${key}`);
  queue.add(key);
}

informer.addEventHandler({
  onAdd: (pod) => enqueue("onAdd", metaNamespaceKey(pod)),
  onUpdate: (_, pod) => {
    enqueue("onUpdate", metaNamespaceKey(pod));
    if (pod.metadata.labels?.["step"] === "4") lastStep.resolve();
  },
  onDelete: ({ key }) => gone.resolve(enqueue("onDelete", key)),
});

async function processNextItem(): Promise<boolean> {
  const work = await queue.get();
  if (work === undefined) return false; // the queue was shut down
  const key = work.item;
  try {
    await sync(key);
    // The next failure counts as the first one again.
    queue.forget(key);
  } catch (error) {
    console.log(`${String(error)}, retry ${queue.numRequeues(key) + 1}`);
    queue.addRateLimited(key);
  } finally {
    // Until then no other worker receives this key, and another add of it waits.
    queue.done(key);
  }
  return true;
}

async function sync(key: string): Promise<void> {
  const step = indexer.getByKey(key)?.metadata.labels?.["step"];
  console.log(`sync ${key}: ${step === undefined ? "it is gone" : `step ${step}`}`);
  if (step === undefined) {
    queue.shutDown();
  } else if (step === "1") {
    // Three changes during one sync: the key waits once.
    for (const next of ["2", "3", "4"]) {
      await pods.patch("web-0", { metadata: { labels: { step: next } } });
    }
    await lastStep.promise;
  } else {
    if (queue.numRequeues(key) < 2) throw new Error("not ready");
    await pods.delete("web-0"); // marked, then removed: two changes during one sync
    await gone.promise;
  }
}

const stop = new AbortController();
const running = informer.run(stop.signal);
while (await processNextItem());
stop.abort();
await running;
