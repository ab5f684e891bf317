import { createClient, createConnection, isTooManyRequests } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource } from "listwatch/resources/core/v1";

const labels = { app: "web" };
const pods = ["web-1", "web-2"].map((name) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "shop", name, labels },
  spec: { containers: [{ name: "main", image: "nginx" }] },
  status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
}));
const budget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { namespace: "shop", name: "web" },
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
  // There is no controller that counts the healthy pods.
  status: { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1 },
};
const { fetch } = new FakeApiServer({ objects: [...pods, budget] });
const connection = createConnection({ server: "http://cluster", fetch });
const client = createClient(connection).resource(resource).in("shop");

await client.evict("web-1");
console.log("web-1 is evicted");

await client.evict("web-2", { timeoutMs: 1000 }).catch((error: Error) => {
  if (!isTooManyRequests(error)) throw error;
  console.log("web-2 is not:", error.message);
});
const { items } = await client.list();
console.log("left:", items.map(({ metadata }) => metadata.name).join());
