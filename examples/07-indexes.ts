// Indexes: by namespace, by label, and one that an informer keeps and a server answers from.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SharedInformer } from "@listwatch/shared-informer";
import { Indexer, namespaceIndex } from "@listwatch/store-indexer";
import { createPod, pods, type Pod } from "./support/cluster.ts";

const indexers = { ...namespaceIndex, app: (pod: Pod) => pod.metadata.labels?.["app"] };
const names = (found: readonly Pod[]): string =>
  JSON.stringify(found.map(({ metadata }) => metadata.name).toSorted());

const store = new Indexer({ indexers });
store.add({ metadata: { namespace: "shop", name: "web-1", labels: { app: "web" } } });
store.add({ metadata: { namespace: "shop", name: "db-1", labels: { app: "db" } } });
store.add({ metadata: { namespace: "test", name: "web-1", labels: { app: "web" } } });
console.log("namespace shop:", names(store.byIndex("namespace", "shop")));
console.log("app web:", names(store.byIndex("app", "web")));
console.log("both:", names(store.byIndexes({ namespace: "shop", app: "web" })));

await createPod("shop/web-1", { app: "web" });
await createPod("shop/web-2", { app: "web" });
await createPod("shop/db-1", { app: "db" });
await using informer = new SharedInformer({ listerWatcher: pods, indexers });
void informer.run();
await informer.synced;
const endpoint = createServer(({ url = "/" }, response) => {
  response.end(names(informer.store.byIndex("app", url.slice(1))));
});
await new Promise<void>((listening) => endpoint.listen(0, "127.0.0.1", listening));
const { port } = endpoint.address() as AddressInfo;
for (const app of ["web", "db", "none"]) {
  console.log(`GET /${app}`, await (await fetch(`http://127.0.0.1:${port}/${app}`)).text());
}
endpoint.close();
