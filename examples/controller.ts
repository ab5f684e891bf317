import { createClient, createConnection } from "@listwatch/client";
import { Controller, controllerReference, ownerOf } from "@listwatch/controller";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

const { fetch } = new FakeApiServer();
const connection = createConnection({ server: "http://fake", fetch });
const client = createClient(connection);
const factory = new SharedInformerFactory({ connection });

const resource = { group: "apps", version: "v1", resource: "deployments" };
const deployments = client.resource(resource);
const wanted = factory.informer(resource);
const services = client.resource({ ...resource, group: "", resource: "services" });
const present = factory.informer(services.resource);
const owner = { apiVersion: "apps/v1", kind: "Deployment" };

// Every Deployment is to have a Service of its name.
const controller = new Controller({
  informer: wanted,
  workers: 4,
  reconcile: async (key, { object: deployment, signal }) => {
    if (deployment === undefined || present.store.getByKey(key)) return;
    const { namespace, name } = deployment.metadata ?? {};
    const ownerReferences = [controllerReference(deployment, owner)];
    const metadata = { namespace, name, ownerReferences };
    await services.create({ metadata }, { signal });
  },
});
controller.owns(present, ownerOf({ group: "apps", kind: "Deployment" }));

const stop = new AbortController();
const changes = present.events({ signal: stop.signal });
async function nextChange(text: string) {
  console.log((await changes.next()).value?.type, text);
}
factory.start();
const running = controller.run(stop.signal);
await controller.synced;

await deployments.create({ metadata: { namespace: "shop", name: "web" } });
await nextChange("a Service, made by the controller");
await services.delete("shop/web");
await nextChange("it, by hand");
await nextChange("it again: its owner was reconciled");

stop.abort();
await running;
await factory[Symbol.asyncDispose]();
