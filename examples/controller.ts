import { Controller, controllerReference, createClient, createConnection } from "listwatch";
import { SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { services } from "listwatch/resources/core/v1";
import { networkpolicies } from "listwatch/resources/networking.k8s.io/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const client = createClient(connection);
const factory = new SharedInformerFactory({ connection });
const wanted = factory.informer(services);
const present = factory.informer(networkpolicies);

// Every Service needs a NetworkPolicy of the same name.
const controller = new Controller({
  client,
  informer: wanted,
  workers: 4,
  reconcile: async (key, { client: own, object: service, signal }) => {
    if (service === undefined || present.store.getByKey(key)) return;
    const { namespace, name } = service.metadata;
    const ownerReferences = [controllerReference(service, services)];
    const metadata = { namespace, name, ownerReferences };
    const policy = { metadata, spec: { podSelector: {} } };
    await own.resource(networkpolicies).create(policy, { signal });
  },
});
controller.owns(present, services);

const stop = new AbortController();
const changes = present.events({ signal: stop.signal });
async function nextChange(text: string) {
  console.log((await changes.next()).value?.type, text);
}
factory.start();
const running = controller.run(stop.signal);
await controller.synced;

const metadata = { namespace: "default", name: "web" };
await client.resource(services).create({ metadata, spec: { ports: [{ port: 80 }] } });
await nextChange("a NetworkPolicy, created by the controller");
await client.resource(networkpolicies).delete("default/web");
await nextChange("it, by hand");
await nextChange("it again: its owner was reconciled");

stop.abort();
await running;
await factory[Symbol.asyncDispose]();
