import { DeltaFIFO } from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const queue = new DeltaFIFO({ keyFunc: (pod: Pod) => pod.name });
queue.add({ name: "pod1", value: 1 });
queue.add({ name: "pod2", value: 2 });
queue.add({ name: "pod3", value: 3 });
queue.update({ name: "pod1", value: 10 });
queue.delete({ name: "pod1", value: 10 });

// One pop hands out everything that happened to the oldest key.
await queue.pop((deltas) => {
  for (const delta of deltas) {
    if (!("object" in delta) || !("value" in delta.object)) continue;
    const { name, value } = delta.object;
    console.log(`${delta.type} : ${name} ${value}`);
  }
});
console.log(`${queue.length} keys wait`);
