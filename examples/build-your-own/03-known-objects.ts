// The known objects of a queue are those in the store behind it. With them the queue knows the
// effect of a delete, a replace and a resync; without them it knows only its items.
import { DeletedFinalStateUnknown, DeltaFIFO, type ObjectDelta } from "listwatch";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const store = new Map<string, Pod>([["pod1", { name: "pod1", value: 1 }]]);
const knownObjects = {
  // pod9 is listed but cannot be read: the store has lost its last state.
  listKeys: () => [...store.keys(), "pod9"],
  getByKey: (key: string) => store.get(key),
};

function describe({ type, key, object }: ObjectDelta<Pod>): string {
  if (!(object instanceof DeletedFinalStateUnknown)) return `${type} ${key} ${object.value}`;
  const { object: last } = object;
  const state = last === undefined ? "no last state" : `last state ${last.value}`;
  return `${type} ${key} (tombstone, ${state})`;
}

async function show(title: string, write: (queue: DeltaFIFO<Pod>) => void): Promise<void> {
  console.log(title);
  for (const known of [undefined, knownObjects]) {
    const queue = new DeltaFIFO({ keyFunc: (pod: Pod) => pod.name, knownObjects: known });
    write(queue);
    console.log(known === undefined ? "  without known objects" : "  with known objects");
    if (queue.length === 0) console.log("    nothing");
    while (queue.length > 0) {
      await queue.pop((deltas) => {
        for (const delta of deltas) console.log(`    ${describe(delta)}`);
      });
    }
  }
}

await show("delete a pod that is not queued", (queue) => {
  queue.delete({ name: "pod1", value: 1 });
});
await show("delete a queued pod twice", (queue) => {
  queue.add({ name: "pod2", value: 2 });
  queue.delete({ name: "pod2", value: 2 });
  queue.delete({ name: "pod2", value: 2 });
});
// Queued or known objects that are not in the list are gone, and their deletion was missed.
await show("replace all with pod3", (queue) => {
  queue.add({ name: "pod2", value: 2 });
  queue.replace([{ name: "pod3", value: 3 }], "7");
});
// A tombstone is replaced by a real delete, which has the state at the deletion.
await show("replace all with nothing, then delete pod2", (queue) => {
  queue.add({ name: "pod2", value: 2 });
  queue.replace([], "7");
  queue.delete({ name: "pod2", value: 20 });
});
await show("resync", (queue) => {
  queue.resync();
});
