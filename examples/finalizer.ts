import { createClient, createConnection, withFinalizer, writeStatus } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { services as resource, type Service } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const services = createClient(connection).resource(resource);

async function reconcile(service: Service) {
  await withFinalizer(services, service, {
    finalizer: "example.com/address",
    apply: async () => {
      const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
      const written = await writeStatus(services, service, () => status);
      console.log("address", written.status?.loadBalancer?.ingress?.[0]?.ip);
    },
    cleanup: async () => console.log("release the address"),
  });
}

const metadata = { namespace: "default", name: "web" };
// The class prevents other controllers from assigning an address.
const balanced = { type: "LoadBalancer", loadBalancerClass: "example.com/pool" } as const;
await reconcile(await services.create({ metadata, spec: { ...balanced, ports: [{ port: 80 }] } }));
const created = await services.get("default/web");
console.log("finalizers", created.metadata.finalizers?.join(" "));

await services.delete("default/web"); // Only marked for deletion.
await reconcile(await services.get("default/web"));
const gone = await services.get("default/web").catch((error: Error) => error.message);
console.log(gone);
