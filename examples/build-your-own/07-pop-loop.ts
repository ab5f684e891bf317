// The pop loop with a store: each delta that leaves the queue is applied to the store, which the
// queue knows in turn. This loop is the heart of an informer.
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
      // A missed delete carries a tombstone, which has a name too.
      console.log(`Type:${delta.type}: Name:${deletionHandlingObjectName(delta.object).name}`);
      switch (delta.type) {
        case "Replaced":
        case "Sync":
        case "Added":
        case "Updated":
          // Whether the store has the pod decides, not the type: a relist brings known pods again.
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
  // A resync hands the store's pods out again, without asking the server.
  queue.resync();
  await popUntil("Sync");
  // A pod is marked before it goes: an update, then the deletion.
  await deletePod("shop/web-0");
  await popUntil("Deleted");
  console.log("store:", store.listKeys().join(" "));
  stop.abort();
  await running;
}

await createPod("shop/db-0");
// Without the option a listed pod looks like one that a resync hands out again.
for (const emitDeltaTypeReplaced of [false, true]) await run(emitDeltaTypeReplaced);
