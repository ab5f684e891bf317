import { Indexer } from "@listwatch/store-indexer";

interface Pod {
  metadata: { name: string; labels: Record<string, string> };
}

const pods = new Indexer<Pod>({ freeze: true });
pods.add({ metadata: { name: "web-1", labels: { app: "web" } } });

// The type says read-only; frozen objects say so when the program runs.
const cached = pods.getByKey("web-1") as Pod;
try {
  cached.metadata.labels["app"] = "api";
} catch (error) {
  console.log(error instanceof TypeError);
}
console.log(cached.metadata.labels["app"]);
