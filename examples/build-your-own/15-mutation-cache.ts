// A MutationCache shows the writes of a controller at once, before the watch has delivered them to
// the informer's store. The newer of both states counts.
import { Indexer, MutationCache } from "listwatch";

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

function podWith(name: string, resourceVersion: string): Pod {
  return { metadata: { namespace: "shop", name, uid: `uid of ${name}`, resourceVersion } };
}

// An informer keeps this store up to date; here the program does.
const store = new Indexer({
  indexers: { namespace: (pod: Pod) => pod.metadata.namespace },
});
const cache = new MutationCache(store, { indexer: store, includeAdds: true });
store.add(podWith("web-0", "7"));

function print(when: string): void {
  const inStore = store.getByKey("shop/web-0")?.metadata.resourceVersion;
  const inCache = cache.getByKey("shop/web-0")?.metadata.resourceVersion;
  const names = cache.byIndex("namespace", "shop").map(({ metadata }) => metadata.name);
  console.log(`${when}: store ${inStore}, cache ${inCache}, in shop: ${names.join(" ")}`);
}

print("at first");
// The server answered our patch of web-0 and our create of web-1 with these objects.
cache.mutation(podWith("web-0", "9"));
cache.mutation(podWith("web-1", "10"));
print("after our writes");

// The informer's handlers pass arrived objects to the cache, which can then forget the writes.
for (const pod of [podWith("web-0", "11"), podWith("web-1", "10")]) {
  store.update(pod);
  cache.onAddOrUpdate(pod);
}
print("after the watch");

// A late answer to an older write changes nothing, even if the object was deleted since.
cache.mutation(podWith("web-0", "8"));
store.delete(podWith("web-1", "12"));
cache.onDelete(podWith("web-1", "12"));
cache.mutation(podWith("web-1", "10"));
print("after late answers");
