import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

const { fetch } = new FakeApiServer();
const connection = createConnection({ server: "http://fake", fetch });
const factory = new SharedInformerFactory({ connection });
const resource = { group: "", version: "v1", resource: "namespaces" };
const namespaces = factory.informer(resource);
factory.start();
await factory.waitForCacheSync();

const registration = namespaces.addEventHandler({
  onAdd({ metadata }, isInInitialList) {
    console.log(metadata?.name, isInInitialList);
  },
});
console.log(registration.backlog, "wait");
await registration.synced;
console.log(registration.backlog, "wait");

await factory[Symbol.asyncDispose]();
console.log(namespaces.phase);
