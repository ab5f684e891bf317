import { fixed, type Benchmark } from "../framework/suite.ts";
import { keyOf } from "./naive-store.ts";
import { expectCount, flat, newStore, podsOf, type Pod } from "./pods.ts";

/** Heap per object with its index entry, without the object and its key. */
export function memory(size: number): Benchmark {
  return {
    name: `memory besides object and key, ${size.toLocaleString("en-US")}`,
    unit: "bytes/object",
    rounds: 5,
    goal: 1,
    yardstick: fixed("limit", 120),
    subject: {
      name: "Indexer",
      sample: () => {
        const pods = podsOf(size, "1");
        const keys = flatKeysOf(pods);
        const store = newStore().keyed;
        const before = heapBytes();
        for (const [index, pod] of pods.entries()) store.add(keys[index] ?? "", pod);
        const bytes = (heapBytes() - before) / size;
        // Keeps everything alive that was alive at the start.
        expectCount(store.size + pods.length + keys.length, 3 * size);
        return bytes;
      },
    },
  };
}

/** Keys as flat strings, which they become when a store compares them. */
function flatKeysOf(pods: readonly Pod[]): readonly string[] {
  return pods.map((pod) => flat(keyOf(pod)));
}

const collectGarbage: unknown = Reflect.get(globalThis, "gc");

function heapBytes(): number {
  if (typeof collectGarbage === "function") {
    collectGarbage();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}
