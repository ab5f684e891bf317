// A handler misses what happens while its watch is down: it sees states, not changes.
import { createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const maps = createClient(connection).resource(configmaps);
const metadata = { namespace: "default", name: "door" };
await maps.create({ metadata, data: { is: "closed" } });

const factory = new SharedInformerFactory({ connection, informers: { onError: () => {} } });
const informer = factory.informer(configmaps);
let openings = 0;
informer.addEventHandler({
  onUpdate: (old, now) => {
    if (old.data?.["is"] === "closed" && now.data?.["is"] === "open") openings++;
  },
});
factory.start();
await factory.waitForCacheSync();

// The watch is down, and the server has forgotten its history when the informer comes back.
for (const watch of server.control.watches.list()) watch.stall();
await maps.patch("default/door", { data: { is: "open" } });
const last = await maps.patch("default/door", { data: { is: "closed", by: "me" } });
server.control.compact();
server.control.watches.reset();
await informer.waitForObject(last);
console.log("the door was opened once; the handler counted", openings);
await factory[Symbol.asyncDispose]();
