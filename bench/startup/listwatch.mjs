// A small program of a user with listwatch. Not TypeScript, whose types Node would have to strip.
// It imports the built packages, and prints the figures of its start.
import { importedAt, synced } from "./figures.mjs";

const { SharedInformerFactory } = await import("listwatch");
const { connect } = await import("listwatch/node");
importedAt(performance.now());

const factory = new SharedInformerFactory({ connection: await connect() });
const pods = factory.informer({ group: "", version: "v1", resource: "pods" });
let count = 0;
pods.addEventHandler({
  onAdd: () => {
    count += 1;
    synced(count);
  },
});
await pods.run();
