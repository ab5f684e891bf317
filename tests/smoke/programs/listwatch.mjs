// Plain JavaScript with the installed package, no test runner or types. The fake API server
// replaces a cluster, and a kubeconfig file names it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection, httpListerWatcher, SharedInformer } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { connect } from "listwatch/node";
import { SimulatedClock } from "listwatch/testing";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const folder = mkdtempSync(join(tmpdir(), "listwatch-smoke-"));
const file = join(folder, "config");
writeFileSync(
  file,
  `current-context: here
contexts: [{ name: here, context: { cluster: here, namespace: team } }]
clusters: [{ name: here, cluster: { server: "http://127.0.0.1:1" } }]
`,
);
const connection = await connect({ paths: [file] });
rmSync(folder, { recursive: true });
if (connection.namespace !== "team") fail(`the namespace is ${connection.namespace}`);

const { fetch } = new FakeApiServer();
const informer = new SharedInformer({
  listerWatcher: httpListerWatcher({
    connection: createConnection({ server: connection.server, fetch }),
    resource: { group: "", version: "v1", resource: "namespaces" },
  }),
});
const stop = new AbortController();
const running = informer.run(stop.signal);
await informer.synced;
const keys = informer.store.listKeys();
stop.abort();
await running;
if (!keys.includes("default")) fail(`the cache has ${keys.join()}`);
if (new SimulatedClock({ startMs: 7 }).now() !== 7) fail("the simulated clock is wrong");
console.log("ok");
