import { createConnection, createManager, InformerView, SharedInformerFactory } from "listwatch";
import { createClient, metaNamespaceKey, silentLog } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

// In a program: connections of two contexts of a kubeconfig.
const connect = (server: string) =>
  createConnection({ server, fetch: new FakeApiServer().fetch, namespace: "default" });
const [home, away] = [connect("http://home"), connect("http://away")];
const stop = new AbortController(); // instead of SIGTERM

// The manager has one connection, for its lease and its events.
const telemetry = { log: silentLog };
const manager = createManager(home, { name: "copier", signals: false, server: false, telemetry });

// Each cluster has informers and a client. Runnables run the informers with the manager.
const members = Object.entries({ home, away }).map(([name, connection]) => {
  const factory = new SharedInformerFactory({ connection, log: silentLog });
  const informer = factory.informer(configmaps, { namespace: "default" });
  manager.add({ name, run: (signal) => informer.run(signal) });
  return { name, informer, client: createClient(connection) };
});
const informers = members.map(({ informer }) => informer);
const keyPrefixes = members.map(({ name }) => `${name}/`);
const view = new InformerView(informers, { name: "all clusters", keyPrefixes });
manager.add({ name: "view", run: (signal) => view.run(signal) });

// Keys have their cluster: home/default/settings.
let seen = 0;
const controller = manager.controller({
  name: "maps",
  reconcile: (key) => {
    if (key.endsWith("kube-root-ca.crt")) return;
    console.log(key, view.store.getByKey(key)?.data?.["color"]);
    if (++seen === 2) stop.abort();
  },
});
for (const { informer, name } of members) {
  controller.watches(informer, (map) => [`${name}/${metaNamespaceKey(map)}`]);
}

for (const { client, name } of members) {
  const color = name === "home" ? "green" : "blue";
  const metadata = { namespace: "default", name: "settings" };
  await client.resource(configmaps).create({ metadata, data: { color } });
}
await manager.run(stop.signal);
