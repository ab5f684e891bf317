// A DeltaFIFO by hand: it keeps the changes of one object together, and one pop delivers them all.
import { DeletedFinalStateUnknown, DeltaFIFO } from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const queue = new DeltaFIFO<Pod>({ keyFunc: (pod) => pod.name });

queue.add({ name: "pod1", value: 1 });
queue.add({ name: "pod2", value: 2 });
queue.add({ name: "pod3", value: 3 });
queue.update({ name: "pod1", value: 10 });
queue.delete({ name: "pod1", value: 10 });
console.log("queued:", queue.listKeys().join(" "));

await queue.pop((deltas) => {
  for (const delta of deltas) {
    if (!("object" in delta) || delta.object instanceof DeletedFinalStateUnknown) continue;
    console.log(`${delta.type} : ${delta.object.name} ${delta.object.value}`);
  }
});
console.log("queued:", queue.listKeys().join(" "));
