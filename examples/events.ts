import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

const { fetch } = new FakeApiServer();
const server = "http://fake";
async function label(step: string) {
  const headers = { "content-type": "application/merge-patch+json" };
  const body = JSON.stringify({ metadata: { labels: { step } } });
  const url = `${server}/api/v1/namespaces/default`;
  const request = new Request(url, { method: "PATCH", headers, body });
  return (await fetch(request)).json();
}

const connection = createConnection({ server, fetch });
const factory = new SharedInformerFactory({ connection });
const resource = { group: "", version: "v1", resource: "namespaces" };
const fieldSelector = "metadata.name=default";
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
  console.log("update", event.object.metadata?.labels?.["step"]);
  console.log("before", event.old.metadata?.labels?.["step"]);
  break;
}
await factory[Symbol.asyncDispose]();
