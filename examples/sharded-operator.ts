// Two replicas of an operator divide the objects. One leaves, and the other takes its share over.
import { Controller, createClient, createConnection } from "listwatch";
import { SharedInformerFactory, ShardRing } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const client = createClient(connection);
for (let index = 0; index < 40; index++) {
  await client
    .resource(configmaps)
    .create({ metadata: { namespace: "default", name: `c${index}` } });
}

/** Starts a replica. In a cluster it is a process. */
function start() {
  const stop = new AbortController();
  const keys = new Set<string>();
  const factory = new SharedInformerFactory({ connection });
  // Short times, for this page.
  const limits = { leaseDurationMs: 1000, renewDeadlineMs: 800, retryPeriodMs: 100 };
  const ring = new ShardRing({ client, namespace: "default", name: "ring", by: "uid", limits });
  const controller = new Controller({
    informer: factory.informer(configmaps, { namespace: "default" }),
    client,
    shards: ring,
    reconcile: (key) => void keys.add(key),
  });
  factory.start(stop.signal);
  const ended = Promise.all([ring.run(stop.signal), controller.run(stop.signal)]);
  return { keys, stop, ended, slots: () => ring.status().slots.length };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const [one, two] = [start(), start()];
await until(() => one.slots() === 16 && two.slots() === 16);
await until(() => new Set([...one.keys, ...two.keys]).size === 40);
console.log("each replica has 16 of 32 slots; 40 objects are reconciled");
two.stop.abort();
await two.ended;
await until(() => one.slots() === 32 && one.keys.size === 40);
console.log("the replica that is left has all slots, and has reconciled 40 objects");
one.stop.abort();
await one.ended;
