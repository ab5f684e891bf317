import { createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods } from "listwatch/resources/core/v1";

const spec = { containers: [{ name: "main", image: "nginx" }] };
const metadata = { namespace: "shop", name: "worker-1" };
const pod = { apiVersion: "v1", kind: "Pod", metadata, spec };
const server = new FakeApiServer({ objects: [pod] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });

const factory = new SharedInformerFactory({
  connection,
  informers: { onError: (error) => console.log("failed:", (error as Error).name) },
});
const informer = factory.informer(pods);
const seen = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd({ metadata: { name } }) {
    console.log("added", name);
    if (name === "worker-2") seen.resolve();
  },
});
factory.start();
await factory.waitForCacheSync();

server.control.watches.reset(); // The connection breaks.
const client = createClient(connection).resource(pods);
await client.create({ metadata: { namespace: "shop", name: "worker-2" }, spec });
await seen.promise;
console.log(informer.store.listKeys().join(" "));
await factory[Symbol.asyncDispose]();
