import { RealFIFO } from "listwatch";

interface Pod {
  readonly name: string;
  readonly phase: string;
}

const queue = new RealFIFO({ keyFunc: (pod: Pod) => pod.name });
queue.replace([{ name: "web-1", phase: "Running" }], "100");
queue.add({ name: "web-2", phase: "Pending" });
queue.update({ name: "web-2", phase: "Running" });
queue.delete({ name: "web-1", phase: "Running" });

while (queue.length > 0) {
  await queue.pop(([delta], isInInitialList) => {
    console.log(delta?.type, "in the initial list:", isInInitialList);
  });
}
