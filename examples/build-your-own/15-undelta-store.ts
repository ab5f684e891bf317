// An UndeltaStore is for a consumer that wants the whole state and no changes: after every write it
// pushes everything it has. A configuration that is written as one file is such a consumer.
import { UndeltaStore } from "@listwatch/store-indexer";

interface Backend {
  readonly name: string;
  readonly port: number;
}

const backends = new UndeltaStore({
  keyFunc: (backend: Backend) => backend.name,
  push(all) {
    const lines = all.map(({ name, port }) => `${name}:${port}`).toSorted();
    console.log("push:", lines.join(" ") || "nothing");
  },
});

backends.add({ name: "web-0", port: 8080 });
backends.add({ name: "web-1", port: 8080 });
backends.update({ name: "web-0", port: 9090 });
// One replace is one push, whatever it changes.
backends.replace(
  [
    { name: "db-0", port: 5432 },
    { name: "db-1", port: 5432 },
  ],
  "7",
);
backends.delete({ name: "db-0", port: 5432 });

// Reads push nothing.
console.log("read:", backends.listKeys().join(" "));
