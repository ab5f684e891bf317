// Informers on Node, Deno or Bun, ours or client-node's: of pods, or of `KINDS` kinds of custom
// resources. `FORM` is their form of objects. Our transport is the one that the documentation
// recommends for the runtime.
import process from "node:process";
import { createInterface } from "node:readline";
import { heapBytes } from "../../framework/heap.ts";
import { connectTo, startInformer, type Kind, type Told } from "../../reflector/informers.ts";

const { EVENTS, FORM, KINDS, LIST, PODS, SERVER = "" } = process.env;
let addedLeft = Number(PODS);
let updatedLeft = Number(EVENTS);
const added = Promise.withResolvers<void>();
const updated = Promise.withResolvers<void>();
const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const before = heapBytes();
console.log("started");
const told: Told = {
  added: () => {
    if (--addedLeft === 0) added.resolve();
  },
  updated: () => {
    if (--updatedLeft === 0) updated.resolve();
  },
  deleted: () => undefined,
  failed: added.reject,
};
const isNode = !("deno" in process.versions || "bun" in process.versions);
const transport = isNode ? "node" : "fetch";
const options = {
  connection: connectTo(SERVER, transport),
  isStreamed: LIST === "streamed",
  transport,
  reads: "nothing",
} as const;
const resources = Array.from({ length: Number(KINDS) }, (_, kind) => ({
  group: "example.com",
  version: "v1",
  resource: `kind${kind}s`,
}));
const informers = await Promise.all(
  (resources.length > 0 ? resources : [undefined]).map(async (resource) =>
    startInformer(FORM as Kind, SERVER, told, { ...options, resource }),
  ),
);
await added.promise;
console.log("synced");
await orders.next();
console.log(`heap ${heapBytes() - before}`);
await updated.promise;
console.log("done");
await orders.next();
await Promise.all(informers.map(async (informer) => informer.stop()));
process.exit(0);
