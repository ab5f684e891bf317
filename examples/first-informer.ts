import { createClient, createConnection, httpListerWatcher, SharedInformer } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { namespaces } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const listerWatcher = httpListerWatcher({ connection, resource: namespaces });

const informer = new SharedInformer({ listerWatcher });
const added = Promise.withResolvers<void>();
const { synced } = informer.addEventHandler({
  onAdd: ({ metadata }, isInInitialList) => {
    console.log("added", metadata.name);
    if (!isInInitialList) added.resolve();
  },
});
const stop = new AbortController();
void informer.run(stop.signal);
await synced;

await createClient(connection)
  .resource(namespaces)
  .create({ metadata: { name: "shop" } });
await added.promise;
console.log(informer.store.size, "in the cache");
stop.abort();
