// The life of a queue: waiting pops, requeued items, the first list, a slow pop, the end.
import { DeltaFIFO, QueueClosedError, RequeueError, sleep } from "listwatch";
import { SimulatedClock } from "listwatch/testing";

interface Pod {
  readonly name: string;
}

const clock = new SimulatedClock();
const queue = new DeltaFIFO({
  name: "pods",
  keyFunc: (pod: Pod) => pod.name,
  clock,
  observer: {
    processed({ durationMs, isSlow, waiting }) {
      // Slow is more than 100 ms while more than 10 items wait.
      if (isSlow) console.log(`slow pop: ${durationMs} ms while ${waiting} wait`);
    },
  },
});

// A pop of an empty queue waits for a write.
const popping = queue.pop(([delta]) => console.log("popped", delta?.type, delta?.key));
console.log("the pop waits");
queue.add({ name: "pod1" });
const deltas = await popping;

// A processor returns its item to the queue with a RequeueError. With a cause, the pop also fails.
queue.addIfNotPresent(deltas);
try {
  await queue.pop(() => {
    throw new RequeueError({ cause: new Error("the disk is full") });
  });
} catch (error) {
  console.log(`pop failed: ${String(error)}; queued: ${queue.listKeys().join()}`);
}
// A newer state was queued meanwhile: addIfNotPresent keeps it.
queue.update({ name: "pod1" });
queue.addIfNotPresent(deltas);
await queue.pop((kept) => console.log("kept:", kept.map(({ type }) => type).join()));

// A queue has synced when its first list has been popped, not when it has been written.
const listed = new DeltaFIFO({ keyFunc: (pod: Pod) => pod.name });
console.log("synced before the list:", listed.hasSynced);
listed.replace([{ name: "pod1" }, { name: "pod2" }], "7");
await listed.pop(() => {});
console.log("synced after one of two:", listed.hasSynced);
await listed.pop(() => {});
console.log("synced after both:", listed.hasSynced);

// Closing ends the wait of a pop.
const waiting = listed.pop(() => {});
listed.close();
try {
  await waiting;
} catch (error) {
  if (error instanceof QueueClosedError) console.log("the wait failed:", error.message);
}

for (let index = 1; index <= 12; index += 1) queue.add({ name: `pod${index}` });
const slow = queue.pop(() => sleep(101, { clock }));
// A running processor is not interrupted, and queued items can still be popped.
queue.close();
await clock.advance(101);
await slow;
let rest = 0;
for await (const _ of queue) rest += 1;
console.log("popped after the close:", rest);
