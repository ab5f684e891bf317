import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { connection, labelSelector, ownNamespace } from "./support/cluster.ts";

await ownNamespace("shop");
const resource = { group: "", version: "v1", resource: "namespaces" };
const listerWatcher = httpListerWatcher({ connection, resource, labelSelector });

const informer = new SharedInformer({ listerWatcher });
const added = Promise.withResolvers<void>();
const { synced } = informer.addEventHandler({
  onAdd: ({ metadata }, isInInitialList) => {
    console.log("added", metadata?.name);
    if (!isInInitialList) added.resolve();
  },
});
const stop = new AbortController();
void informer.run(stop.signal);
await synced;

await ownNamespace("test");
await added.promise;
console.log(informer.store.size, "in the cache");
stop.abort();
