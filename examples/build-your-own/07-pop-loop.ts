// The pop loop with a store. The loop applies each delta to the store, and the store provides the
// known objects of the queue. This loop is the core of an informer.
import { createClient, createConnection, httpListerWatcher, Indexer, Reflector } from "listwatch";
import { deletionHandlingObjectName, DeltaFIFO } from "listwatch";
import type { DeltaType, ObjectDelta } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

const spec = { containers: [{ name: "main", image: "nginx" }] };
const db = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "shop", name: "db-0" }, spec };
const { fetch } = new FakeApiServer({ objects: [db] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const pods = createClient(connection).resource(resource).in("shop");
const listerWatcher = httpListerWatcher({ connection, resource });

async function run(emitDeltaTypeReplaced: boolean): Promise<void> {
  console.log("emitDeltaTypeReplaced:", emitDeltaTypeReplaced);
  const store = new Indexer<Pod>();
  const queue = new DeltaFIFO<Pod>({ knownObjects: store, emitDeltaTypeReplaced });

  function handleDeltas(deltas: readonly ObjectDelta<Pod>[]): void {
    for (const delta of deltas) {
      // A missed delete has a tombstone, which also has a name.
      console.log(`Type:${delta.type}: Name:${deletionHandlingObjectName(delta.object).name}`);
      switch (delta.type) {
        case "Replaced":
        case "Sync":
        case "Added":
        case "Updated":
          // The store decides, not the type: a relist contains known pods again.
          if (store.get(delta.object) === undefined) store.add(delta.object);
          else store.update(delta.object);
          break;
        case "Deleted":
          store.delete(delta.object);
      }
    }
  }
  async function popUntil(type: DeltaType): Promise<void> {
    for (;;) {
      const deltas = await queue.pop(handleDeltas);
      if (deltas.some((delta) => delta.type === type)) return;
    }
  }

  const stop = new AbortController();
  const running = new Reflector({ listerWatcher, store: queue }).run(stop.signal);
  // The first list is a replace.
  await popUntil(emitDeltaTypeReplaced ? "Replaced" : "Sync");
  await pods.create({ metadata: { name: "web-0" }, spec });
  await popUntil("Added");
  await pods.patch("web-0", { metadata: { labels: { app: "web" } } });
  await popUntil("Updated");
  // A resync delivers the store's pods again, without a request to the server.
  queue.resync();
  await popUntil("Sync");
  // A pod is marked before it is removed: an update, then the deletion.
  await pods.delete("web-0");
  await popUntil("Deleted");
  console.log("store:", store.listKeys().join(" "));
  stop.abort();
  await running;
}

// Without the option a listed pod looks like one of a resync.
for (const emitDeltaTypeReplaced of [false, true]) await run(emitDeltaTypeReplaced);
