// A FIFO contains only the newest state of each key, for consumers that need the current state and
// not its history. Compare it with the DeltaFIFO, which delivers every change.
import { FIFO, RequeueError } from "listwatch";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const queue = new FIFO({ keyFunc: (pod: Pod) => pod.name });

queue.add({ name: "pod1", value: 1 });
queue.add({ name: "pod2", value: 2 });
queue.add({ name: "pod3", value: 3 });
// A queued key keeps its position, and its object is replaced by the newer one.
queue.update({ name: "pod1", value: 10 });
// A deleted object is never delivered.
queue.delete({ name: "pod2", value: 2 });
console.log("queued:", queue.length);
while (queue.length > 0) await queue.pop((pod) => console.log("popped:", pod.name, pod.value));

// A replace discards all queued objects.
queue.add({ name: "pod4", value: 4 });
queue.replace([{ name: "pod5", value: 5 }], "7");
// The key is already present, so this older state is ignored.
queue.addIfNotPresent({ name: "pod5", value: 4 });

let attempts = 0;
while (queue.length > 0) {
  await queue.pop((pod) => {
    attempts += 1;
    console.log("attempt", attempts, pod.name, pod.value);
    // Returns the object to the queue, unless a newer one was queued meanwhile.
    if (attempts < 3) throw new RequeueError();
  });
}
