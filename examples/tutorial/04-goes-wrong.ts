// Without an owner reference, what an operator made stays when its object is deleted.
import { controllerReference, createClient, createConnection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const maps = createClient(connection, { fieldManager: "greeter" }).resource(configmaps);
const metadata = (name: string) => ({ namespace: "default", name });

const owner = await maps.create({ metadata: metadata("owner") });
const ownerReferences = [controllerReference(owner, configmaps)];
await maps.apply({ metadata: { ...metadata("owned"), ownerReferences } });
await maps.apply({ metadata: metadata("forgotten") });

await maps.delete("default/owner");
for (const name of ["owned", "forgotten"]) {
  const { items } = await maps.list({
    namespace: "default",
    fieldSelector: `metadata.name=${name}`,
  });
  console.log(name, items.length === 0 ? "is deleted with its owner" : "stays for ever");
}
