import { controllerReference, createClient, createConnection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer();
const client = createClient(createConnection({ server: "http://fake", fetch }));
const maps = client.resource(configmaps);

/** Creates a parent with two children, like an operator. */
async function createFamily() {
  const metadata = { namespace: "default", name: "parent" };
  const parent = await maps.create({ metadata });
  const ownerReferences = [controllerReference(parent, configmaps)];
  for (const name of ["child-1", "child-2"]) {
    await maps.create({ metadata: { namespace: "default", name, ownerReferences } });
  }
}

async function print(what: string) {
  const { items } = await maps.list({ namespace: "default" });
  const names = items.map(({ metadata }) => metadata.name);
  console.log(`${what}: ${names.join(", ") || "nothing"}`);
}

await createFamily();
await print("created");
await maps.delete("default/parent");
await print("deleted in the background");

await createFamily();
await maps.delete("default/parent", { propagationPolicy: "Orphan" });
await print("deleted, with orphans");
console.log("its owners:", (await maps.get("default/child-1")).metadata.ownerReferences);
await maps.deleteCollection({ namespace: "default", all: true });

await createFamily();
const finalizers = ["example.com/disk"];
await maps.patch("default/child-1", { metadata: { finalizers } });
await maps.delete("default/parent", { propagationPolicy: "Foreground" });
await print("deleted in the foreground, which waits for a finalizer");
await maps.patch("default/child-1", { metadata: { finalizers: null } });
await print("finalized");
