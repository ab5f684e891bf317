import { createClient } from "@listwatch/client";
import { RealFIFO } from "@listwatch/core-fifo";
import { httpListerWatcher, Reflector } from "@listwatch/reflector";
import { breakConnections, connection, ownNamespace } from "./support/cluster.ts";

const namespace = await ownNamespace("shop");
const resource = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
const leases = createClient(connection).resource(resource);
async function create(name: string) {
  await leases.create({ metadata: { namespace, name } });
}
await create("worker-1");

const queue = new RealFIFO();
const reflector = new Reflector({
  listerWatcher: httpListerWatcher({ connection, resource, namespace }),
  store: queue,
  onError: (error, { recovery }) => console.log("failed, so", recovery),
});
const stop = new AbortController();
const ended = reflector.run(stop.signal);

async function show() {
  await queue.pop(([delta]) => {
    if (delta !== undefined && "key" in delta) console.log(delta.type, delta.key);
    else console.log(delta?.type);
  });
}
await show();
await create("worker-2");
await show();

// Changes during the broken connection are not lost.
breakConnections();
await create("worker-3");
await show();

stop.abort();
await ended;
