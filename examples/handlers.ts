import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { SharedInformerFactory } from "@listwatch/shared-informer";

interface ConfigMap {
  metadata: { name: string; namespace: string };
  data: Record<string, string>;
}

const { fetch } = new FakeApiServer();
const server = "http://fake";
const maps = `${server}/api/v1/namespaces/shop/configmaps`;
async function send(method: string, url: string, beta?: string) {
  const headers = { "content-type": "application/json" };
  const map = { metadata: { name: "flags" }, data: { beta } };
  const body = beta === undefined ? null : JSON.stringify(map);
  await fetch(new Request(url, { method, headers, body }));
}
await send("POST", maps, "off");

const connection = createConnection({ server, fetch });
const factory = new SharedInformerFactory({ connection });
const resource = { group: "", version: "v1", resource: "configmaps" };
const informer = factory.informer<ConfigMap>(resource);
const gone = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd(map, isInInitialList) {
    console.log("add", map.metadata.name, isInInitialList);
  },
  onUpdate(old, map) {
    console.log("update", old.data["beta"], "→", map.data["beta"]);
  },
  onDelete({ key, stale }) {
    console.log(stale ? "missed the deletion of" : "delete", key);
    gone.resolve();
  },
});
factory.start();
await factory.waitForCacheSync();

await send("PUT", `${maps}/flags`, "on");
await send("DELETE", `${maps}/flags`);
await gone.promise;
await factory[Symbol.asyncDispose]();
