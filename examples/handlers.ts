import { createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const metadata = { namespace: "shop", name: "flags" };
const flags = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { beta: "off" } };
const { fetch } = new FakeApiServer({ objects: [flags] }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(configmaps);
const gone = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd(map, isInInitialList) {
    console.log("add", map.metadata.name, isInInitialList);
  },
  onUpdate(old, map) {
    console.log("update", old.data?.["beta"], "→", map.data?.["beta"]);
  },
  onDelete({ key, stale }) {
    console.log(stale ? "missed the deletion of" : "delete", key);
    gone.resolve();
  },
});
factory.start();
await factory.waitForCacheSync();

const maps = createClient(connection).resource(configmaps);
await maps.patch("shop/flags", { data: { beta: "on" } });
await maps.delete("shop/flags");
await gone.promise;
await factory[Symbol.asyncDispose]();
