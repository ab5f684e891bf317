// With another client than the reconcile's own, the cache may be older than what was written.
import { Controller, createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const outside = createClient(connection);
await outside.resource(configmaps).create({ metadata: { namespace: "default", name: "a" } });

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(configmaps, { namespace: "default" });
const done = Promise.withResolvers<void>();
const controller = new Controller({
  client: outside,
  informer,
  reconcile: async (key, { client, object }) => {
    if (object?.data !== undefined) return; // It has been here.
    for (const watch of server.control.watches.list()) watch.stall(); // The cache is now slow.
    const read = () => informer.lister.get(key).data?.["by"];
    await outside.resource(configmaps).patch(key, { data: { by: "another client" } });
    console.log("after a write of another client:", read());
    await client.resource(configmaps).patch(key, { data: { by: "its own client" } });
    console.log("after a write of its own:", read());
    for (const watch of server.control.watches.list()) watch.resume();
    done.resolve();
  },
});
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);
await done.promise;
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();
