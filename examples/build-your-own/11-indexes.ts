// A store with indexes: the keys of an index value, and the object of a key.
import { Indexer, namespaceIndex } from "listwatch";

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly labels: { readonly app?: string };
  };
}

// An index function returns one index value of an object, several, or none.
const store = new Indexer({
  indexers: { ...namespaceIndex, app: (pod: Pod) => pod.metadata.labels.app },
});
store.add({ metadata: { namespace: "shop", name: "web-0", labels: { app: "web" } } });
store.add({ metadata: { namespace: "shop", name: "db-0", labels: { app: "db" } } });
store.add({ metadata: { namespace: "test", name: "web-0", labels: { app: "web" } } });
store.add({ metadata: { namespace: "test", name: "shell", labels: {} } });

// The compiler knows the names of the indexes and the types of their values.
console.log("namespace shop:", store.indexKeys("namespace", "shop").join(" "));
console.log("app web:", store.indexKeys("app", "web").join(" "));
console.log("apps:", store.listIndexFuncValues("app").toSorted().join(" "));

for (const key of store.indexKeys("app", "web")) {
  const pod = store.getByKey(key);
  console.log(`getByKey ${key}:`, pod?.metadata.namespace, pod?.metadata.name);
}

// Indexes follow every write.
store.update({ metadata: { namespace: "shop", name: "db-0", labels: { app: "web" } } });
store.delete({ metadata: { namespace: "test", name: "web-0", labels: { app: "web" } } });
console.log("app web:", store.indexKeys("app", "web").join(" "));
console.log("apps:", store.listIndexFuncValues("app").toSorted().join(" "));
