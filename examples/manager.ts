import { createConnection, createManager, silentLog } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const stop = new AbortController(); // instead of SIGTERM

const manager = createManager(connection, {
  name: "greeter",
  election: { namespace: "default", identity: "pod-1" },
  signals: false,
  server: false, // Otherwise /livez, /readyz and /metrics.
  telemetry: { log: { ...silentLog, info: (message) => console.log(message) } },
});

manager.controller({
  for: configmaps,
  reconcile: async (key, { client, object, signal }) => {
    if (object?.metadata.namespace !== "default" || object.data?.["greeting"] === "hello") return;
    const { name, namespace } = object.metadata;
    const greeting = { metadata: { name, namespace }, data: { greeting: "hello" } };
    await client.resource(configmaps).apply(greeting, { fieldManager: "greeter", signal });
    console.log("greeted", key);
    stop.abort();
  },
});

const maps = manager.client.resource(configmaps);
await maps.create({ metadata: { namespace: "default", name: "settings" } });
const { by } = await manager.run(stop.signal);
console.log("stopped by", by);
console.log("leader now:", JSON.stringify(manager.elector?.leader));
