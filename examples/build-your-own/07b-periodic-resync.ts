// The periodic resync of a reflector. It sends no request to the server: the queue delivers the
// objects of the store again, so that a handler sees those whose work has failed or was undone.
import { createClient, createConnection, httpListerWatcher, Indexer, Reflector } from "listwatch";
import { deletionHandlingObjectName, DeltaFIFO, type ObjectDelta } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

const spec = { containers: [{ name: "main", image: "nginx" }] };
const db = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name: "db-0" }, spec };
const { fetch } = new FakeApiServer({ objects: [db] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const pods = createClient(connection).resource(resource).in("shop");

const store = new Indexer<Pod>();
const queue = new DeltaFIFO<Pod>({ knownObjects: store, emitDeltaTypeReplaced: true });
const resyncs = new Map<string, number>();
let periods = 0;

const reflector = new Reflector({
  listerWatcher: httpListerWatcher({ connection, resource }),
  store: queue,
  watch: {
    resyncMs: 500,
    // client-go's informers ask here whether the period of one of their handlers is over.
    shouldResync() {
      periods += 1;
      console.log(`period ${periods}: ${periods === 1 ? "not yet" : "resync"}`);
      return periods > 1;
    },
  },
});

function handleDeltas(deltas: readonly ObjectDelta<Pod>[]): void {
  for (const { object, type } of deltas) {
    const { name } = deletionHandlingObjectName(object);
    const before = store.getByKey(queue.keyOf(object));
    if (type === "Deleted") {
      store.delete(object);
    } else {
      store.update(object);
      // A resync delivers the object of the store itself, in which nothing has changed.
      console.log(`${type} ${name}, the same object: ${before === object}`);
    }
    if (type === "Sync") resyncs.set(name, (resyncs.get(name) ?? 0) + 1);
  }
}

async function popUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await queue.pop(handleDeltas);
}

const stop = new AbortController();
const running = reflector.run(stop.signal);
await popUntil(() => resyncs.get("db-0") === 1);
// A queued change is newer than the store: a resync does not put the older state behind it.
await pods.patch("db-0", { metadata: { labels: { app: "db" } } });
await popUntil(() => resyncs.get("db-0") === 2);
stop.abort();
await running;
