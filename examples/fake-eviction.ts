import { createClient, isTooManyRequests } from "@listwatch/client";
import { pods as podResource } from "@listwatch/resources/core/v1";
import { poddisruptionbudgets } from "@listwatch/resources/policy/v1";
import { connection, ownNamespace } from "./support/cluster.ts";

const client = createClient(connection);
const pods = client.resource(podResource);
const budgets = client.resource(poddisruptionbudgets);

const namespace = await ownNamespace("shop");
const labels = { app: "web" };
// The scheduler ignores pods with a scheduling gate.
const schedulingGates = [{ name: "example.com/never" }];
for (const name of ["web-1", "web-2"]) {
  const spec = { containers: [{ name: "main", image: "nginx:1.28" }], schedulingGates };
  await pods.create({ metadata: { namespace, name, labels }, spec });
  const conditions = [{ type: "Ready", status: "True" }];
  await pods.patchStatus(`${namespace}/${name}`, { status: { phase: "Running", conditions } });
}
const spec = { minAvailable: 1, selector: { matchLabels: labels } };

// There is no controller that counts the healthy pods, so the example writes the counts.
const budget = await budgets.create({ metadata: { namespace, name: "web" }, spec });
const counts = { currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, disruptionsAllowed: 1 };
const status = { observedGeneration: budget.metadata.generation, ...counts };
await budgets.patchStatus(`${namespace}/web`, { status });

await pods.evict(`${namespace}/web-1`);
console.log("web-1 is evicted");

await pods.evict(`${namespace}/web-2`, { timeoutMs: 1000 }).catch((error: Error) => {
  if (!isTooManyRequests(error)) throw error;
  console.log("web-2 is not:", error.message);
});
const { items } = await pods.list({ namespace });
console.log("left:", items.map(({ metadata }) => metadata.name).join());
