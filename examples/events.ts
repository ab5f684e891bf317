import { createClient } from "@listwatch/client";
import { namespaces as resource } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connection, ownNamespace } from "./support/cluster.ts";

const namespace = await ownNamespace("shop");
const namespaces = createClient(connection).resource(resource);
async function label(step: string) {
  return namespaces.patch(namespace, { metadata: { labels: { step } } });
}

const factory = new SharedInformerFactory({ connection });
const fieldSelector = `metadata.name=${namespace}`;
const informer = factory.informer(resource, { fieldSelector });
factory.start();
await factory.waitForCacheSync();

const events = informer.events({ overflow: "coalesce" });
console.log((await events.next()).value?.type);

// Three changes, and a reader that was busy meanwhile.
await label("one");
await label("two");
await informer.waitForObject(await label("three"));
for await (const event of events) {
  if (event.type !== "update") continue;
  console.log("update", event.object.metadata.labels?.["step"]);
  console.log("before", event.old.metadata.labels?.["step"]);
  break;
}
await factory[Symbol.asyncDispose]();
