import { createClient, createConnection, isConflict, StatusError } from "listwatch";
import type { ApplyConfiguration } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { deployments as resource, type DeploymentSpec } from "listwatch/resources/apps/v1";

const { fetch } = new FakeApiServer();
const connection = createConnection({ server: "http://cluster", fetch });
const deployments = createClient(connection).resource(resource);

/** The configuration of a manager: the object's name, and only the fields that it sets. */
function web(spec: ApplyConfiguration<DeploymentSpec>) {
  return { metadata: { namespace: "default", name: "web" }, spec };
}

const labels = { app: "web" };
const containers = [{ name: "main", image: "nginx:1.28" }];
const template = { metadata: { labels }, spec: { containers } };
// Paused: a Deployment controller starts no pods.
const whole = { paused: true, replicas: 1, selector: { matchLabels: labels }, template };
const created = await deployments.apply(web(whole), { fieldManager: "user" });
console.log("created by", created.metadata.managedFields?.[0]?.manager);

// The autoscaler sets a different number of replicas.
const scaled = web({ replicas: 3 });
try {
  await deployments.apply(scaled, { fieldManager: "autoscaler" });
} catch (error) {
  if (!(error instanceof StatusError) || !isConflict(error)) throw error;
  for (const { field, message } of error.causes) console.log(`${field}: ${message}`);
}
await deployments.apply(scaled, { fieldManager: "autoscaler", force: true });

// The user gives up the field, and it keeps the autoscaler's value.
const { replicas: _, ...rest } = whole;
await deployments.apply(web(rest), { fieldManager: "user" });
const { metadata, spec } = await deployments.get("default/web");
const managers = new Set(metadata.managedFields?.flatMap(({ manager }) => manager ?? []));
managers.delete("kube-controller-manager"); // On a cluster it writes the status.
const list = [...managers].toSorted().join(" and ");
console.log(`given up by the user: ${spec.replicas} replicas, managed by ${list}`);
