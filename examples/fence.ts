// A former leader cannot write any more, and rejoins the election.
import { createClient, createConnection, LeaderElector, silentLog } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const server = new FakeApiServer(); // instead of a cluster
let isCutOff = false;
const client = createClient(
  createConnection({
    server: "http://cluster",
    fetch: async (request) => {
      if (isCutOff && request.url.includes("/leases")) throw new TypeError("no route to host");
      return server.fetch(request);
    },
  }),
);
const elector = new LeaderElector({
  client,
  lease: { namespace: "default", name: "my-operator-leader" },
  onLost: "rejoin",
  // Short times, for this page.
  limits: { leaseDurationMs: 1000, renewDeadlineMs: 800, retryPeriodMs: 100 },
  telemetry: { log: silentLog }, // The failures here are intended.
});
const maps = elector.guard(client).resource(configmaps);

async function write(name: string): Promise<void> {
  try {
    await maps.create({ metadata: { namespace: "default", name } });
    console.log(name, "is written");
  } catch (error) {
    console.log(name, "is refused:", (error as Error).name);
  }
}

const stop = new AbortController();
await write("before-the-election");
const ended = elector.run(stop.signal);
await elector.lead(async ({ lost }) => {
  await write("as-leader");
  isCutOff = true; // Now it cannot renew its lease.
  await new Promise((resolve) => lost.addEventListener("abort", resolve));
  await write("after-the-loss");
});
isCutOff = false;
await elector.lead(() => write("in-the-next-term"));
stop.abort();
await ended;
await write("after-the-stop");
