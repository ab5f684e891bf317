import { createClient } from "@listwatch/client";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { breakConnections, connection, ownNamespace } from "./support/cluster.ts";

const namespace = await ownNamespace("shop");
const resource = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
const leases = createClient(connection).resource(resource);

const factory = new SharedInformerFactory({
  connection,
  namespace,
  informers: { onError: (error) => console.log("failed:", (error as Error).name) },
});
const informer = factory.informer(resource);
const seen = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd: ({ metadata }) => {
    console.log("added", metadata?.name);
    if (metadata?.name === "worker-2") seen.resolve();
  },
});
await leases.create({ metadata: { namespace, name: "worker-1" } });
factory.start();
await factory.waitForCacheSync();

breakConnections();
await leases.create({ metadata: { namespace, name: "worker-2" } });
await seen.promise;
console.log(informer.store.listKeys().join(" "));
await factory[Symbol.asyncDispose]();
