// An UndeltaStore is for a consumer that needs the whole state instead of changes, such as a
// configuration in one file. After every write the store pushes all objects.
import { UndeltaStore } from "listwatch";

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
// One replace is one push, however many objects change.
backends.replace(
  [
    { name: "db-0", port: 5432 },
    { name: "db-1", port: 5432 },
  ],
  "7",
);
backends.delete({ name: "db-0", port: 5432 });

// A read does not push.
console.log("read:", backends.listKeys().join(" "));
