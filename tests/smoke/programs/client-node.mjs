// Plain JavaScript with the installed package: no test runner, types or client-node. A hand-made
// connection plays the server.
import { connectKubeConfig, makeInformer } from "@listwatch/client-node";

const pod = (name) => ({ metadata: { namespace: "a", name, resourceVersion: "1" } });
const fetch = async () =>
  // A watch that stays silent until it ends.
  new Response(new ReadableStream(), { headers: { "content-type": "application/json" } });
const connection = { server: "http://cluster", namespace: undefined, fetch };
const items = [pod("web-0"), pod("web-1")];
const list = async () => ({ metadata: { resourceVersion: "7" }, items });
const informer = makeInformer({}, "/api/v1/pods", list, undefined, { connection });
const added = [];
informer.on("add", ({ metadata }) => added.push(metadata.name));
await informer.start();
await informer.stop();
const names = added.join();
if (names !== "web-0,web-1") throw new Error(`smoke: added ${names}`);
if (informer.get("web-1", "a")?.metadata.name !== "web-1") throw new Error("smoke: no web-1");

const document = {
  contexts: [{ name: "c", context: { cluster: "c", namespace: "shop" } }],
  clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:8001" } }],
};
await using connected = connectKubeConfig({
  exportConfig: () => JSON.stringify(document),
  getCurrentContext: () => "c",
  loadFromOptions: () => undefined,
  applyToHTTPSOptions: async () => undefined,
});
if (connected.namespace !== "shop") throw new Error(`smoke: namespace ${connected.namespace}`);
console.log("ok");
