import { createClient, createConnection, httpListerWatcher, RealFIFO, Reflector } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps as resource } from "listwatch/resources/core/v1";

const metadata = { namespace: "shop", name: "worker-1" };
const map = { apiVersion: "v1", kind: "ConfigMap", metadata };
const server = new FakeApiServer({ objects: [map] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const maps = createClient(connection).resource(resource).in("shop");

const queue = new RealFIFO();
const reflector = new Reflector({
  listerWatcher: httpListerWatcher({ connection, resource }),
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
await maps.create({ metadata: { name: "worker-2" } });
await show();

// Changes during the broken connection are not lost.
server.control.watches.reset();
await maps.create({ metadata: { name: "worker-3" } });
await show();

stop.abort();
await ended;
