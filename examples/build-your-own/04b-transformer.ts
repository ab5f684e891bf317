// A transformer changes each object once, before it is queued, so that neither the queue nor the
// store keeps what the program does not need. client-go has it as `DeltaFIFOOptions.Transformer`.
import { DeltaFIFO, Indexer, type ObjectDelta } from "listwatch";

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly managedFields?: readonly object[] | undefined;
  };
}

let calls = 0;

function dropManagedFields({ metadata, ...rest }: Pod): Pod {
  calls += 1;
  const { managedFields, ...kept } = metadata;
  console.log(`transform ${kept.name}: drops ${managedFields?.length ?? 0} managed fields`);
  return { ...rest, metadata: kept };
}

const store = new Indexer<Pod>();
const queue = new DeltaFIFO<Pod>({ knownObjects: store, transform: dropManagedFields });
const pod = (name: string): Pod => ({
  metadata: { namespace: "shop", name, managedFields: [{ manager: "kubectl" }] },
});

function apply(deltas: readonly ObjectDelta<Pod>[]): void {
  for (const { object, type } of deltas) {
    console.log(`  ${type} ${queue.keyOf(object)}`);
    if (type === "Deleted") store.delete(object);
    else store.update(object);
  }
}

async function popAll(step: string): Promise<void> {
  console.log(`${step}: ${calls} calls`);
  calls = 0;
  while (queue.length > 0) await queue.pop(apply);
}

queue.replace([pod("web-0"), pod("web-1")], "1");
await popAll("replace");
queue.add(pod("web-2"));
queue.update(pod("web-2"));
await popAll("two changes");
// Objects of a resync come from the store, where they are transformed already.
queue.resync();
await popAll("resync");
// A missing object becomes a tombstone with the object of the store, which is not changed again.
queue.replace([pod("web-0")], "5");
await popAll("relist");
console.log("in the store:", store.listKeys().join(" "));
