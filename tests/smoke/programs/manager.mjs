// Plain JavaScript with the installed package, no test runner or types.
import { createConnection } from "@listwatch/client";
import { createManager } from "@listwatch/manager";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const list = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "1" } };
const item = { metadata: { namespace: "default", name: "a", resourceVersion: "1" } };
const fetch = async (request) => {
  if (!new URL(request.url).searchParams.has("watch"))
    return Response.json({ ...list, items: [item] });
  const open = new ReadableStream({
    start: (controller) => {
      request.signal.addEventListener("abort", () => controller.error(request.signal.reason));
    },
  });
  return new Response(open, { headers: { "content-type": "application/json" } });
};

const connection = createConnection({ server: "http://cluster", fetch });
const stop = new AbortController();
const log = { debug() {}, info() {}, warn() {}, error: (message) => fail(message) };
const manager = createManager(connection, {
  name: "smoke",
  server: { port: 0, host: "127.0.0.1" },
  informers: { list: { watchList: false } },
  telemetry: { log },
});
const reconciled = Promise.withResolvers();
manager.controller({
  for: { group: "", version: "v1", resource: "configmaps" },
  reconcile: (key) => reconciled.resolve(key),
});
const running = manager.run(stop.signal);
if ((await reconciled.promise) !== "default/a") fail("another key");
const url = `http://127.0.0.1:${manager.port}`;
const ready = await globalThis.fetch(`${url}/readyz`);
if (ready.status !== 200) fail(`readyz is ${await ready.text()}`);
const metrics = await (await globalThis.fetch(`${url}/metrics`)).text();
if (!metrics.includes("workqueue_adds_total")) fail("no metrics");
stop.abort();
const { by } = await running;
if (by !== "abort") fail(`stopped by ${by}`);
console.log("ok");
