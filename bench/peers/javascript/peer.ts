// An informer of pods on Node, ours or client-node's. `FORM` is its form of objects.
import { createInterface } from "node:readline";
import { heapBytes } from "../../framework/heap.ts";
import { startInformer, type Kind } from "../../reflector/informers.ts";

const { EVENTS, FORM, LIST, PODS, SERVER = "" } = process.env;
let addedLeft = Number(PODS);
let updatedLeft = Number(EVENTS);
const added = Promise.withResolvers<void>();
const updated = Promise.withResolvers<void>();
const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const before = heapBytes();
console.log("started");
const informer = await startInformer(
  FORM as Kind,
  SERVER,
  {
    added: () => {
      if (--addedLeft === 0) added.resolve();
    },
    updated: () => {
      if (--updatedLeft === 0) updated.resolve();
    },
    deleted: () => undefined,
    failed: added.reject,
  },
  { isStreamed: LIST === "streamed", transport: "node", reads: "nothing" },
);
await added.promise;
console.log("synced");
await orders.next();
console.log(`heap ${heapBytes() - before}`);
await updated.promise;
console.log("done");
await orders.next();
await informer.stop();
process.exit(0);
