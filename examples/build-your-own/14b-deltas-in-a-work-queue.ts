// A work queue of deltas instead of keys, as some articles have it. It works, but a retry brings an
// old state back: compare it with the controller by hand, whose queue contains keys.
import { DeltaFIFO, WorkQueue, type Deltas } from "listwatch";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const changes = new DeltaFIFO({ keyFunc: (pod: Pod) => pod.name });

let serial = 0;
const numbers = new WeakMap<Deltas<Pod>, number>();

// A queue compares its items by key, and lists of deltas have none. Each list gets a number here:
// with the name of the pod as key, one of two lists that wait would be dropped.
function numberOf(deltas: Deltas<Pod>): number {
  const number = numbers.get(deltas) ?? (serial += 1);
  numbers.set(deltas, number);
  return number;
}

const queue = new WorkQueue<Deltas<Pod>>({ keyFunc: numberOf });
const outside = new Map<string, number>();
let attempts = 0;

/** The work: makes the world outside equal to the pod. The first attempt fails. */
function sync({ name, value }: Pod): void {
  attempts += 1;
  if (attempts === 1) throw new Error("the network is down");
  outside.set(name, value);
  console.log(`synced ${name} ${value}`);
}

changes.add({ name: "pod1", value: 1 });
await changes.pop((deltas) => queue.add(deltas));
changes.update({ name: "pod1", value: 2 });
changes.update({ name: "pod1", value: 3 });
await changes.pop((deltas) => queue.add(deltas));
console.log("waiting lists:", queue.length);

while (attempts < 4) {
  using work = await queue.get();
  if (work === undefined) break;
  try {
    for (const delta of work.item) {
      if (delta.type === "Added" || delta.type === "Updated") sync(delta.object);
    }
    queue.forget(work.item);
  } catch (error) {
    console.log(`${String(error)}, retried later`);
    queue.addRateLimited(work.item);
  }
}
// The retry came last, with the oldest state. A queue of keys reads the newest one from the store.
for (const [name, value] of outside) console.log(`outside: ${name} ${value}`);
queue.shutDown();
