import { createClient, createConnection } from "@listwatch/client";
import { withFinalizer, writeStatus } from "@listwatch/controller";
import { FakeApiServer } from "@listwatch/fake-apiserver";

interface Volume {
  metadata: { name: string; finalizers?: readonly string[] };
  status?: { phase?: string };
}
const { fetch } = new FakeApiServer();
const connection = createConnection({ server: "http://fake", fetch });
const client = createClient(connection);
const resource = { group: "", version: "v1", resource: "persistentvolumes" };
const volumes = client.resource<Volume>(resource);

async function reconcile(volume: Volume) {
  await withFinalizer(volumes, volume, {
    finalizer: "example.com/disk",
    apply: async () => {
      const status = { phase: "Bound" };
      const written = await writeStatus(volumes, volume, () => status);
      console.log("status", written.status?.phase);
    },
    cleanup: async () => console.log("give the disk back"),
  });
}

await reconcile(await volumes.create({ metadata: { name: "data" } }));
const { metadata } = await volumes.get("data");
console.log("finalizers", metadata.finalizers?.join(" "));

await volumes.delete("data"); // Marked, not gone.
await reconcile(await volumes.get("data"));
const gone = await volumes.get("data").catch((error: Error) => error.message);
console.log(gone);
