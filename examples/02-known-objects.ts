// A key function and a lister of known objects: with them, the queue tells what a delete and a
// replace really change.
import { DeletedFinalStateUnknown, DeltaFIFO } from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const keyFunc = (pod: Pod): string => pod.name;
const cache = new Map<string, Pod>([
  ["pod3", { name: "pod3", value: 3 }],
  ["pod4", { name: "pod4", value: 4 }],
]);
const knownObjects = {
  listKeys: () => cache.keys(),
  getByKey: (key: string) => cache.get(key),
};

for (const known of [false, true]) {
  console.log(known ? "with known objects" : "without known objects");
  const queue = known ? new DeltaFIFO({ keyFunc, knownObjects }) : new DeltaFIFO({ keyFunc });
  queue.add({ name: "pod1", value: 1 });
  // Without known objects the queue does not know pod3, and there is nothing to delete.
  queue.delete({ name: "pod3", value: 3 });
  // The list lacks what is queued or known besides: it must be gone.
  queue.replace([{ name: "pod2", value: 2 }], "1");
  while (queue.length > 0) {
    await queue.pop((deltas) => {
      for (const delta of deltas) {
        if (!("object" in delta)) continue;
        const { key, object, type } = delta;
        const missed =
          object instanceof DeletedFinalStateUnknown ? " (its deletion was missed)" : "";
        console.log(`  ${type} : ${key}${missed}`);
      }
    });
  }
}
