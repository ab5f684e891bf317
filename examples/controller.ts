import { createClient } from "@listwatch/client";
import { Controller, controllerReference } from "@listwatch/controller";
import { services as resource } from "@listwatch/resources/core/v1";
import { networkpolicies } from "@listwatch/resources/networking.k8s.io/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connection, ownNamespace } from "./support/cluster.ts";

const namespace = await ownNamespace("shop");
const client = createClient(connection);
const factory = new SharedInformerFactory({ connection, namespace });
const services = client.resource(resource);
const wanted = factory.informer(resource);
const policies = client.resource(networkpolicies);
const present = factory.informer(networkpolicies);

// Every Service needs a NetworkPolicy of the same name.
const controller = new Controller({
  informer: wanted,
  workers: 4,
  reconcile: async (key, { object: service, signal }) => {
    if (service === undefined || present.store.getByKey(key)) return;
    const ownerReferences = [controllerReference(service, resource)];
    const metadata = { namespace, name: service.metadata.name, ownerReferences };
    await policies.create({ metadata, spec: { podSelector: {} } }, { signal });
  },
});
controller.owns(present, resource);

const stop = new AbortController();
const changes = present.events({ signal: stop.signal });
async function nextChange(text: string) {
  console.log((await changes.next()).value?.type, text);
}
factory.start();
const running = controller.run(stop.signal);
await controller.synced;

await services.create({ metadata: { namespace, name: "web" }, spec: { ports: [{ port: 80 }] } });
await nextChange("a NetworkPolicy, created by the controller");
await policies.delete(`${namespace}/web`);
await nextChange("it, by hand");
await nextChange("it again: its owner was reconciled");

stop.abort();
await running;
await factory[Symbol.asyncDispose]();
