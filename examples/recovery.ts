import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

const { fetch, control } = new FakeApiServer();
const server = "http://fake";
const nodes = `${server}/api/v1/nodes`;
async function create(name: string) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ metadata: { name } });
  await fetch(new Request(nodes, { method: "POST", headers, body }));
}

const factory = new SharedInformerFactory({
  connection: createConnection({ server, fetch }),
  informers: {
    retry: { onWatchError: (error) => console.log("failed:", (error as Error).name) },
  },
});
const resource = { group: "", version: "v1", resource: "nodes" };
const informer = factory.informer(resource);
const seen = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd: ({ metadata }) => {
    console.log("added", metadata?.name);
    if (metadata?.name === "worker-2") seen.resolve();
  },
});
await create("worker-1");
factory.start();
await factory.waitForCacheSync();

control.watches.reset(); // The connection breaks.
await create("worker-2");
await seen.promise;
console.log(informer.store.listKeys().join(" "));
await factory[Symbol.asyncDispose]();
