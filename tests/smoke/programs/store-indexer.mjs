// Plain JavaScript with the installed package, no test runner or types.
import { Indexer, Lister } from "@listwatch/store-indexer";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const pod = (namespace, name, node) => ({
  metadata: { namespace, name, labels: { app: name.slice(0, 3) }, resourceVersion: "1" },
  spec: { nodeName: node },
});
const pods = new Indexer({ indexers: { node: (object) => [object.spec.nodeName] } });
pods.replace([pod("a", "web-0", "n1"), pod("a", "web-1", "n2"), pod("b", "db-0", "n1")], "7");
if (pods.byIndex("node", "n1").length !== 2) fail("the node index is wrong");
if (pods.lastStoreSyncResourceVersion !== "7") fail("the resourceVersion is wrong");
pods.delete(pod("b", "db-0", "n1"));
if (pods.byIndex("node", "n1").length !== 1) fail("a deleted object is still indexed");
const lister = new Lister(pods, { group: "", resource: "pods" });
if (lister.list({ labelSelector: "app in (web)" }).length !== 2) fail("the selector is wrong");
console.log("ok");
