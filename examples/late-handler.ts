import { createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const objects = ["mail", "shop", "test"].map((name) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name },
}));
const { fetch } = new FakeApiServer({ objects }); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(configmaps);
factory.start();
await factory.waitForCacheSync();

const registration = informer.addEventHandler({
  onAdd({ metadata }, isInInitialList) {
    console.log(metadata.name, isInInitialList);
  },
});
console.log(registration.backlog, "waiting");
await registration.synced;
console.log(registration.backlog, "waiting");

await factory[Symbol.asyncDispose]();
console.log(informer.phase);
