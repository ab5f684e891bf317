import { createClient } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connection, labels, labelSelector, ownNamespace } from "./support/cluster.ts";

const maps = createClient(connection).resource(configmaps);
const namespace = await ownNamespace("shop");
const metadata = { namespace, name: "flags", labels };
await maps.create({ metadata, data: { beta: "off" } });

const factory = new SharedInformerFactory({ connection, namespace, labelSelector });
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

await maps.patch(`${namespace}/flags`, { data: { beta: "on" } });
await maps.delete(`${namespace}/flags`);
await gone.promise;
await factory[Symbol.asyncDispose]();
