import { Indexer } from "listwatch";

interface Pod {
  metadata: { name: string; labels: Record<string, string> };
}

const pods = new Indexer<Pod>({ freeze: true });
pods.add({ metadata: { name: "web-1", labels: { app: "web" } } });

// The type is read-only; for frozen objects, so is the value at run time.
const cached = pods.getByKey("web-1") as Pod;
try {
  cached.metadata.labels["app"] = "api";
} catch (error) {
  console.log(error instanceof TypeError);
}
console.log(cached.metadata.labels["app"]);
