import { Indexer, namespaceIndex } from "listwatch";

interface Pod {
  metadata: { namespace: string; name: string };
  spec: { nodeName: string };
}
function podOn(namespace: string, name: string, nodeName: string): Pod {
  return { metadata: { namespace, name }, spec: { nodeName } };
}

const pods = new Indexer({
  indexers: { ...namespaceIndex, node: (pod: Pod) => pod.spec.nodeName },
});
pods.add(podOn("shop", "web-1", "n1"));
pods.add(podOn("shop", "web-2", "n2"));
pods.add(podOn("mail", "smtp", "n1"));

console.log(pods.indexKeys("namespace", "shop").join(" "));
console.log(pods.indexKeys("node", "n1").join(" "));
const [found] = pods.byIndexes({ namespace: "shop", node: "n1" });
console.log(found?.metadata.name);

// A change moves an object between the values of an index.
pods.update(podOn("mail", "smtp", "n2"));
console.log(pods.indexKeys("node", "n2").join(" "));
