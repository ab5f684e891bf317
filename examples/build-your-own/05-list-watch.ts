// List only, then watch only: the two requests on which everything else is built. A Collection
// sends them without retries. A reflector uses it as its lister-watcher and adds the rest.
import { Collection, createClient, createConnection, type WatchEvent } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

const spec = { containers: [{ name: "main", image: "nginx" }] };
const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const client = createClient(connection).resource(resource).in("default");
const pods = new Collection({ connection, resource });
const { signal } = new AbortController();

await client.create({ metadata: { name: "web-0" }, spec });
await client.create({ metadata: { name: "web-1" }, spec });

// A list arrives in batches. Later changes are not in it.
const list = await pods.list({}, { signal });
for await (const batch of list.items) {
  for (const pod of batch) console.log("listed", pod.metadata.name);
}
await client.create({ metadata: { name: "web-2" }, spec });
await client.patch("web-2", { metadata: { labels: { app: "web" } } });
await client.delete("web-1");

async function printUntilDelete(events: AsyncIterable<readonly WatchEvent<Pod>[]>): Promise<void> {
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === "BOOKMARK" || event.type === "ERROR") continue;
      // A deleted pod is marked first, so that its node stops it: MODIFIED, then DELETED.
      console.log("watched", event.type, event.object.metadata.name);
      // Leaving the loop closes the watch, which would otherwise not end.
      if (event.type === "DELETED") return;
    }
  }
}

// A watch from the resourceVersion of a list misses nothing, even if it starts later.
console.log("watch from the list");
const resourceVersion = list.metadata?.resourceVersion;
await printUntilDelete(await pods.watch({ resourceVersion }, { signal }));

// A watch without a version starts with the existing pods, and does not show which ones are gone.
console.log("watch from nowhere");
const events = await pods.watch({}, { signal });
await client.delete("web-2");
await printUntilDelete(events);
