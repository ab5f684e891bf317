import { createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const metadata = { namespace: "shop", name: "flags" };
const flags = { apiVersion: "v1", kind: "ConfigMap", metadata };
const { fetch } = new FakeApiServer({ objects: [flags] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const maps = createClient(connection).resource(configmaps);

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(configmaps);
factory.start();
await factory.waitForCacheSync();

const events = informer.events({ overflow: "coalesce" });
console.log((await events.next()).value?.type);

// Three changes, and a reader that was busy meanwhile.
await maps.patch("shop/flags", { data: { step: "one" } });
await maps.patch("shop/flags", { data: { step: "two" } });
const last = await maps.patch("shop/flags", { data: { step: "three" } });
await informer.waitForObject(last);
for await (const event of events) {
  if (event.type !== "update") continue;
  console.log("update", event.object.data?.["step"]);
  console.log("before", event.old.data?.["step"]);
  break;
}
await factory[Symbol.asyncDispose]();
