import { ApiClient, Controller, controllerReference, ownerOf } from "@listwatch/controller";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

interface Owned {
  metadata: { namespace?: string; name: string; ownerReferences?: readonly object[] };
}
const connection = { server: "http://fake", fetch: new FakeApiServer().fetch };
const client = new ApiClient(connection);
const deployments = { group: "apps", version: "v1", resource: "deployments" };
const services = { group: "", version: "v1", resource: "services" };

const factory = new SharedInformerFactory(connection);
const wanted = factory.informer<Owned>(deployments);
const present = factory.informer<Owned>(services);

/** Sees to it that every Deployment has a Service of its name. */
async function reconcile(key: string, { signal }: { signal: AbortSignal }) {
  const deployment = wanted.store.getByKey(key);
  if (deployment === undefined || present.store.getByKey(key) !== undefined) return;
  const { namespace = "default", name } = deployment.metadata;
  const owner = controllerReference(deployment, { apiVersion: "apps/v1", kind: "Deployment" });
  const metadata = { namespace, name, ownerReferences: [owner] };
  await client.resource<Owned>(services).create({ metadata }, { signal });
}
const controller = new Controller({ reconcile, workers: 4 })
  .for(wanted)
  .owns(present, ownerOf({ group: "apps", kind: "Deployment" }));

const stop = new AbortController();
const changes = present.events({ signal: stop.signal });
factory.start();
const running = controller.run(stop.signal);
await controller.synced;

const metadata = { namespace: "shop", name: "web" };
await client.resource<Owned>(deployments).create({ metadata });
console.log((await changes.next()).value?.type, "a Service, made by the controller");

await client.resource(services).delete("shop/web");
console.log((await changes.next()).value?.type, "it, by hand");
console.log((await changes.next()).value?.type, "it again: the owner was reconciled");

stop.abort();
await running;
await factory[Symbol.asyncDispose]();
