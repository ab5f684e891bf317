// Serves a fake API server with the adapter of the current runtime, prints its port, and exits when
// its input ends.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { FetchHandler, Listener } from "@listwatch/fake-apiserver/node";

async function listen(server: FetchHandler): Promise<Listener> {
  if ("Deno" in globalThis) return (await import("@listwatch/fake-apiserver/deno")).listen(server);
  if ("Bun" in globalThis) return (await import("@listwatch/fake-apiserver/bun")).listen(server);
  return (await import("@listwatch/fake-apiserver/node")).listen(server);
}

const control = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "fuzz-control", name: "x" },
};
const { port } = await listen(new FakeApiServer({ seed: 1, objects: [control] }));
console.log(`port ${port}`);
process.stdin.on("end", () => process.exit());
process.stdin.resume();
