import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";

const { fetch } = new FakeApiServer();
const server = "http://fake";
const resource = { group: "", version: "v1", resource: "namespaces" };

const informer = new SharedInformer({
  listerWatcher: httpListerWatcher({ fetch, server, resource }),
});
const { synced } = informer.addEventHandler({
  onAdd: (namespace) => console.log("added", namespace.metadata?.name),
});
const stop = new AbortController();
void informer.run(stop.signal);
await synced;
console.log(informer.store.size, "in the cache");
stop.abort();
