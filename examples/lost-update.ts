import { Controller, createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods } from "listwatch/resources/core/v1";
import { SimulatedClock } from "listwatch/testing";

const clock = new SimulatedClock();
const advance = (ms: number) => clock.advance(ms);
const { control, fetch } = new FakeApiServer({ clock });
// The controller: each new pod gets the label "checked".
const connection = createConnection({ server: "http://cluster", fetch });
const factory = new SharedInformerFactory({ connection, clock });
const controller = new Controller({
  client: createClient(connection, { clock }),
  informer: factory.informer(pods),
  workers: 2,
  clock,
  reconcile: async (key, { client, object: pod, signal }) => {
    if (pod === undefined || pod.metadata.labels?.["checked"] === "yes") return;
    const patch = { metadata: { labels: { checked: "yes" } } };
    await client.resource(pods).patch(key, patch, { signal });
  },
});
const stop = new AbortController();
factory.start();
const running = controller.run(stop.signal);

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

stop.abort();
await running;
await factory[Symbol.asyncDispose]();
