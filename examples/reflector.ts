import { createConnection } from "@listwatch/client";
import { RealFIFO } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher, Reflector } from "@listwatch/reflector";

const { fetch, control } = new FakeApiServer();
const server = "http://fake";
async function create(name: string) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name } });
  const nodes = `${server}/api/v1/nodes`;
  await fetch(new Request(nodes, { method: "POST", headers, body }));
}
await create("worker-1");

const queue = new RealFIFO();
const resource = { group: "", version: "v1", resource: "nodes" };
const connection = createConnection({ server, fetch });
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
await create("worker-2");
await show();

// The connection breaks; what happens meanwhile is not lost.
control.watches.reset();
await create("worker-3");
await show();

stop.abort();
await ended;
