// A key identifies an object in every queue and store. The key function computes it from the name,
// from namespace and name, or from any other identifier of the type.
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  ExplicitKey,
  KeyError,
  metaNamespaceKey,
} from "listwatch";

const byName = new DeltaFIFO({ keyFunc: (pod: { name: string }) => pod.name });
console.log("by name :", byName.keyOf({ name: "web-0" }));

// metaNamespaceKey, the default, accepts any object with Kubernetes' metadata.
const queue = new DeltaFIFO({ keyFunc: metaNamespaceKey });
const web = { metadata: { namespace: "shop", name: "web-0" } };
const node = { metadata: { name: "node-1" } };
console.log("in a namespace :", queue.keyOf(web));
console.log("in the cluster :", queue.keyOf(node));
// An ExplicitKey is for callers that know the key but have no object.
console.log("explicit :", queue.keyOf(new ExplicitKey("shop/web-0")));

queue.add(web);
queue.add(node);
try {
  queue.add("this is no pod");
} catch (error) {
  if (!(error instanceof KeyError)) throw error;
  console.log(`${error.name} (${error.code}) : ${error.message}`);
  console.log("refused :", error.object);
}
// The failed write has changed nothing.
console.log("queued :", queue.listKeys().join(" "));

// A list of deltas has the key of the newest delta; an empty list has no key.
const added = { type: "Added", key: "shop/web-0", object: web } as const;
const renamed = { metadata: { namespace: "shop", name: "web-1" } };
const updated = { type: "Updated", key: "shop/web-1", object: renamed } as const;
console.log("deltas :", queue.keyOf([added, updated]));
try {
  queue.keyOf([]);
} catch (error) {
  if (!(error instanceof KeyError)) throw error;
  console.log(`${error.name} : ${error.message}`);
}
// A tombstone contains the key itself, with or without a last state.
console.log("tombstone :", queue.keyOf(new DeletedFinalStateUnknown("shop/web-9", undefined)));
