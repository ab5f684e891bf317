// A DeltaFIFO by hand. It keeps the changes of one object together, under the object's key, and one
// pop delivers all of them, oldest first.
import { DeletedFinalStateUnknown, DeltaFIFO, type ObjectDelta } from "listwatch";

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

// A missed delete has a tombstone instead of the pod, which may contain the last state.
function podOf(object: Pod | DeletedFinalStateUnknown<Pod>): Pod | undefined {
  return object instanceof DeletedFinalStateUnknown ? object.object : object;
}

// Five changes of three pods: the list has the newest state of each.
for (const object of queue.list()) {
  const pod = podOf(object);
  console.log(`queued : ${pod?.name} ${pod?.value}`);
}

await queue.pop((deltas) => {
  for (const { type, object } of deltas) {
    const pod = podOf(object);
    console.log(`${type} : ${pod?.name} ${pod?.value}`);
  }
});

const callbacks = {
  added: (pod: Pod) => console.log("callback added :", pod.name, pod.value),
  updated: (pod: Pod) => console.log("callback updated :", pod.name, pod.value),
  deleted: (pod: Pod | undefined) => console.log("callback deleted :", pod?.name, pod?.value),
};

function call(delta: ObjectDelta<Pod>): void {
  switch (delta.type) {
    case "Added":
      return callbacks.added(delta.object);
    case "Updated":
    case "Replaced":
    case "Sync":
      return callbacks.updated(delta.object);
    case "Deleted":
      return callbacks.deleted(podOf(delta.object));
    default:
      // This line does not compile if a type has no case above.
      return delta satisfies never;
  }
}

queue.update({ name: "pod2", value: 20 });
queue.delete({ name: "pod3", value: 3 });
while (queue.length > 0) await queue.pop((deltas) => deltas.forEach(call));
