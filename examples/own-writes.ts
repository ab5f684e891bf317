// A reconcile reads its own writes, although the watch delivers nothing.
import { Controller, createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const client = createClient(connection);
const maps = client.resource(configmaps);
await maps.create({ metadata: { namespace: "default", name: "counter" }, data: { count: "0" } });

const stop = new AbortController();
const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(configmaps, { namespace: "default" });
const counted = Promise.withResolvers<void>();
const controller = new Controller({
  client,
  informer,
  reconcile: async (key, context) => {
    const count = Number(context.object?.data?.["count"]);
    console.log("reconcile sees", count);
    if (count === 3) return counted.resolve();
    for (const watch of server.control.watches.list()) watch.stall(); // The cache is now slow.
    const data = { count: String(count + 1) };
    await context.client.resource(configmaps).patch(key, { data });
    console.log("a read by key shows", informer.lister.get(key).data?.["count"]);
    // The key waits until the cache shows the write too.
    setTimeout(() => server.control.watches.list().forEach((watch) => watch.resume()), 100);
  },
});
factory.start(stop.signal);
const ended = controller.run(stop.signal);
await counted.promise;
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();
