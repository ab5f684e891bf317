// The periodic resync of a reflector. It sends no request to the server: the queue delivers the
// objects of the store again, so that a handler sees those whose work has failed or was undone.
import { deletionHandlingObjectName, DeltaFIFO, type ObjectDelta } from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, labelPod, pods, type Pod } from "../support/pods.ts";

const store = new Indexer<Pod>();
const queue = new DeltaFIFO<Pod>({ knownObjects: store, emitDeltaTypeReplaced: true });
const resyncs = new Map<string, number>();
let periods = 0;

const reflector = new Reflector({
  listerWatcher: pods,
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

await createPod("shop/db-0");
const stop = new AbortController();
const running = reflector.run(stop.signal);
await popUntil(() => resyncs.get("db-0") === 1);
// A queued change is newer than the store: a resync does not put the older state behind it.
await labelPod("shop/db-0", { app: "db" });
await popUntil(() => resyncs.get("db-0") === 2);
stop.abort();
await running;
