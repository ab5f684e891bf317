// The pop loop with a store. The loop applies each delta to the store, and the store provides the
// known objects of the queue. This loop is the core of an informer.
import {
  deletionHandlingObjectName,
  DeltaFIFO,
  type DeltaType,
  type ObjectDelta,
} from "@listwatch/core-fifo";
import { Reflector } from "@listwatch/reflector";
import { Indexer } from "@listwatch/store-indexer";
import { createPod, deletePod, labelPod, pods, type Pod } from "../support/pods.ts";

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
  const running = new Reflector({ listerWatcher: pods, store: queue }).run(stop.signal);
  // The first list is a replace.
  await popUntil(emitDeltaTypeReplaced ? "Replaced" : "Sync");
  await createPod("shop/web-0");
  await popUntil("Added");
  await labelPod("shop/web-0", { app: "web" });
  await popUntil("Updated");
  // A resync delivers the store's pods again, without a request to the server.
  queue.resync();
  await popUntil("Sync");
  // A pod is marked before it is removed: an update, then the deletion.
  await deletePod("shop/web-0");
  await popUntil("Deleted");
  console.log("store:", store.listKeys().join(" "));
  stop.abort();
  await running;
}

await createPod("shop/db-0");
// Without the option a listed pod looks like one of a resync.
for (const emitDeltaTypeReplaced of [false, true]) await run(emitDeltaTypeReplaced);
