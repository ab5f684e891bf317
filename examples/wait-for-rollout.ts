import { createClient, createConnection, isDeleted, isRolledOut, waitFor } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { deployments } from "listwatch/resources/apps/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const client = createClient(createConnection({ server: "http://cluster", fetch }));
const web = client.in("default").resource(deployments);

const labels = { app: "web" };
const containers = [{ name: "web", image: "nginx:1" }];
await web.create({
  metadata: { name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  },
});

// Each wait begins before the change: it is not missed.
const rolledOut = waitFor(web, "web", isRolledOut, { timeoutMs: 60_000 });
const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
await web.patchStatus("web", { status: { observedGeneration: 1, ...counts } }); // as its controller
console.log("rolled out:", (await rolledOut)?.status?.availableReplicas, "replicas");

const progressing = { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" };
await web.patchStatus("web", { status: { conditions: [progressing] } });
await waitFor(web, "web", isRolledOut).catch(({ message }: Error) => {
  console.log(message.replace(/;.*/, "")); // without the last state
});

const deleted = waitFor(web, "web", isDeleted, { timeoutMs: 60_000 });
await web.delete("web");
await deleted;
console.log("deleted");
