import { mock } from "node:test";
import * as k8s from "@kubernetes/client-node";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { listen } from "listwatch/fake-apiserver/node";

mock.timers.enable({ apis: ["setTimeout"] });
const advance = async (ms: number) => mock.timers.tick(ms);
const server = new FakeApiServer();
const { control, fetch } = server;

// The controller: each new pod gets the label "checked".
const listener = await listen(server);
const config = new k8s.KubeConfig();
const cluster = { name: "cluster", server: listener.url, skipTLSVerify: true };
config.loadFromClusterAndUser(cluster, { name: "user" });
const api = config.makeApiClient(k8s.CoreV1Api);
const merge = k8s.setHeaderOptions("Content-Type", k8s.PatchStrategy.MergePatch);
const informer = k8s.makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
informer.on("add", async ({ metadata }) => {
  const { name = "", namespace = "" } = metadata ?? {};
  try {
    const body = { metadata: { labels: { checked: "yes" } } };
    await api.patchNamespacedPod({ name, namespace, body }, merge);
  } catch (error) {
    console.error("cannot label", name, error instanceof k8s.ApiException ? error.code : error);
  }
});
informer.on("error", (error) => {
  console.error(error);
  setTimeout(() => void informer.start(), 5000);
});
await informer.start();

// The test: three pods are created, and the first patch of web-2 is answered with 429.
control.faults.add({
  match: { verb: "patch", name: "web-2" },
  action: { type: "status", status: { code: 429, retryAfterSeconds: 1 } },
});
const headers = { "content-type": "application/json" };
await control.when.watchOpen({ resource: "pods" });
for (const name of ["web-1", "web-2", "web-3"]) {
  const spec = { containers: [{ name: "main", image: "example" }] };
  const body = JSON.stringify({ metadata: { name }, spec });
  await fetch("http://cluster/api/v1/namespaces/default/pods", { method: "POST", headers, body });
  await control.when.requestServed({ verb: "patch", name });
}
await advance(60_000);
for (const { name, status } of control.recorder.list({ verb: "patch" })) {
  console.log("patch", name, "answered", status);
}
const response = await fetch("http://cluster/api/v1/pods?labelSelector=!checked");
const { items } = await response.json();
console.log("a minute later, pods without the label:", items.length);

await informer.stop();
await listener.close();
