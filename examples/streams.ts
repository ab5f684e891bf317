import { createClient, createConnection, Informer, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps, namespaces, type ConfigMap } from "listwatch/resources/core/v1";
import { eventStreamSource, toEventStream } from "listwatch/streams";

const map = (namespace: string, name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace, name },
  data: { beta: "off" },
});
const { fetch } = new FakeApiServer({ objects: [map("shop", "flags"), map("bank", "keys")] });
const connection = createConnection({ server: "http://cluster", fetch });

// The server: one informer for each collection, however many pages there are.
const factory = new SharedInformerFactory({ connection });
const informers = { maps: factory.informer(configmaps), namespaces: factory.informer(namespaces) };
factory.start();
const handler = toEventStream(informers, {
  authorize: (request, collection) =>
    collection === "maps" && { namespaces: [request.headers.get("x-team") ?? ""] },
});

// The page: its informers share one stream.
const stream = eventStreamSource("http://dashboard/stream", {
  fetch: (url, init) => handler(new Request(url, init)), // instead of a network
  headers: () => ({ "x-team": "shop" }),
});
const page = new Informer(stream.collection<ConfigMap>("maps"), {
  name: "maps",
  indexers: { beta: ({ data }) => data?.["beta"] },
});
const changed = Promise.withResolvers<void>();
page.addEventHandler({ onUpdate: () => changed.resolve() });
const stop = new AbortController();
const running = page.run(stop.signal);
await page.synced;
console.log(page.store.listKeys().join());

await createClient(connection)
  .resource(configmaps)
  .patch("shop/flags", { data: { beta: "on" } });
await changed.promise;
const [flags] = page.store.byIndex("beta", "on");
console.log("on:", flags?.metadata.name);

stop.abort();
await running;
await handler[Symbol.asyncDispose]();
await factory[Symbol.asyncDispose]();
