import { namespaces as resource } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connection, labelSelector, ownNamespace } from "./support/cluster.ts";

for (const name of ["mail", "shop", "test"]) await ownNamespace(name);

const factory = new SharedInformerFactory({ connection, labelSelector });
const namespaces = factory.informer(resource);
factory.start();
await factory.waitForCacheSync();

const registration = namespaces.addEventHandler({
  onAdd({ metadata }, isInInitialList) {
    console.log(metadata.name, isInInitialList);
  },
});
console.log(registration.backlog, "waiting");
await registration.synced;
console.log(registration.backlog, "waiting");

await factory[Symbol.asyncDispose]();
console.log(namespaces.phase);
