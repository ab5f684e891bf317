import { ApiClient, withFinalizer, writeStatus } from "@listwatch/controller";
import { FakeApiServer } from "@listwatch/fake-apiserver";

interface Claim {
  metadata: { namespace: string; name: string; finalizers?: readonly string[] };
  status?: { phase?: string };
}
const { fetch } = new FakeApiServer();
const client = new ApiClient({ server: "http://fake", fetch });
const resource = { group: "", version: "v1", resource: "persistentvolumeclaims" };
const claims = client.resource<Claim>(resource);

async function reconcile(claim: Claim) {
  await withFinalizer(claims, claim, {
    finalizer: "example.com/disk",
    apply: async () => {
      const written = await writeStatus(claims, claim, () => ({ phase: "Bound" }));
      console.log("status", written.status?.phase);
    },
    cleanup: async () => console.log("give the disk back"),
  });
}

const metadata = { namespace: "shop", name: "data" };
await reconcile(await claims.create({ metadata }));
console.log("finalizers", (await claims.get("shop/data")).metadata.finalizers);

await claims.delete("shop/data"); // Marked, not gone.
await reconcile(await claims.get("shop/data"));
console.log(await claims.get("shop/data").catch((error: Error) => error.message));
