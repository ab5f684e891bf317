// Watches config maps of the server in its argument until one is called "last", then stops. It must
// exit by itself: a socket or timer left behind would keep the process alive.
import { createConnection } from "@listwatch/client";
import { RealFIFO } from "@listwatch/core-fifo";
import { httpListerWatcher, Reflector } from "@listwatch/reflector";
import type { ConfigMap } from "./cluster.ts";

const queue = new RealFIFO<ConfigMap>();
const reflector = new Reflector<ConfigMap>({
  listerWatcher: httpListerWatcher({
    connection: createConnection({ server: process.argv[2] ?? "" }),
    resource: { group: "", version: "v1", resource: "configmaps" },
  }),
  store: queue,
  watch: { resyncMs: 3_600_000 },
});
const controller = new AbortController();
const ended = reflector.run(controller.signal);
console.log("running");
for await (const { deltas } of queue) {
  if (deltas.some((delta) => delta.type === "Added" && delta.object.metadata?.name === "last"))
    break;
}
controller.abort();
await ended;
console.log("settled");
