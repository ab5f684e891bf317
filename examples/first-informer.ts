import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";

const { fetch } = new FakeApiServer();
const connection = createConnection({ server: "http://fake", fetch });
const resource = { group: "", version: "v1", resource: "namespaces" };

const informer = new SharedInformer({
  listerWatcher: httpListerWatcher({ connection, resource }),
});
const { synced } = informer.addEventHandler({
  onAdd: (namespace) => console.log("added", namespace.metadata?.name),
});
const stop = new AbortController();
void informer.run(stop.signal);
await synced;
console.log(informer.store.size, "in the cache");
stop.abort();
