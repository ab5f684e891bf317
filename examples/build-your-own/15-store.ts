// The cache: objects by key. An informer fills it, and everything else reads it.
import { DeletedFinalStateUnknown, Indexer, KeyError } from "listwatch";

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion: string;
  };
}

function podWith(name: string, resourceVersion: string): Pod {
  return { metadata: { namespace: "shop", name, resourceVersion } };
}

// An Indexer without indexes is the plain store. Its default key is namespace/name.
const store = new Indexer<Pod>();

store.add(podWith("web-0", "1"));
store.add(podWith("web-1", "2"));
// Add and update are one operation: only the presence of the key matters.
store.update(podWith("web-0", "3"));
console.log("keys:", store.listKeys().join(" "));
console.log("web-0:", store.getByKey("shop/web-0")?.metadata.resourceVersion);
console.log("by object:", store.get(podWith("web-1", "9"))?.metadata.resourceVersion);

// A delete needs only the key, so a tombstone is sufficient; a missing key is not an error.
store.delete(new DeletedFinalStateUnknown("shop/web-1", podWith("web-1", "2")));
store.delete(podWith("web-7", "4"));
console.log("after the deletes:", store.listKeys().join(" "));

// A replace swaps the whole content at once. If an object has no key, nothing changes.
store.replace([podWith("db-0", "5"), podWith("db-1", "6")], "7");
try {
  store.replace([podWith("db-2", "8"), podWith("", "9")], "10");
} catch (error) {
  if (error instanceof KeyError) console.log("refused:", error.message);
}
console.log("after the replaces:", store.listKeys().join(" "));

// The store remembers its resourceVersion, for callers that wait to read their writes.
console.log("at resourceVersion", store.lastStoreSyncResourceVersion);
store.bookmark("12");
console.log("at resourceVersion", store.lastStoreSyncResourceVersion);
