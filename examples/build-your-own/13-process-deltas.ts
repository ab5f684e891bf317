// The work of an informer after each pop: `processDeltas` updates the store and then calls the
// handler. client-go's informers call it from `HandleDeltas`.
import { DeltaFIFO, Indexer, metaNamespaceKey, processDeltas, type InformerEvent } from "listwatch";

interface Pod {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly value: number;
}

const store = new Indexer<Pod>();
const queue = new DeltaFIFO({ knownObjects: store, emitDeltaTypeReplaced: true });

function notify(event: InformerEvent<Pod>): void {
  switch (event.type) {
    case "add":
      console.log(`  onAdd ${event.key}, in the initial list: ${event.isInInitialList}`);
      break;
    case "update": {
      const { key, object, old } = event;
      console.log(`  onUpdate ${key} ${old.value} -> ${object.value}, the same: ${old === object}`);
      break;
    }
    case "delete":
      console.log(`  onDelete ${event.key}, final state unknown: ${event.stale}`);
      break;
  }
}

async function popAll(): Promise<void> {
  while (queue.length > 0) {
    await queue.pop((deltas, isInInitialList) => {
      console.log(deltas.map((delta) => delta.type).join(", "));
      processDeltas(deltas, isInInitialList, {
        store: store.keyed,
        keyFunc: metaNamespaceKey,
        notify,
      });
    });
  }
}
const pod = (name: string, value: number) => ({ metadata: { namespace: "shop", name }, value });

queue.replace([pod("web-0", 1), pod("web-1", 1)], "1");
await popAll();
queue.update(pod("web-0", 2));
await popAll();
// The store decides between add and update, not the type of the delta.
queue.add(pod("web-1", 3));
queue.update(pod("web-2", 4));
await popAll();
// A resync delivers the known objects again, except web-0, for which a newer delta waits.
queue.delete(pod("web-0", 2));
queue.resync();
await popAll();
// A known object is missing from a relist: its deletion was missed.
queue.replace([pod("web-2", 4)], "9");
await popAll();
