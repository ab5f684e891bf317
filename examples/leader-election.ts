import { createClient, createConnection, LeaderElector, silentLog } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";

const server = new FakeApiServer(); // instead of a cluster
let cutOff = "none";

function candidate(identity: string) {
  const connection = createConnection({
    server: "http://cluster",
    fetch: async (request) => {
      if (cutOff === identity) throw new TypeError("no route to host");
      return server.fetch(request);
    },
  });
  return new LeaderElector({
    client: createClient(connection),
    lease: { namespace: "default", name: "my-operator-leader" },
    identity,
    // Short times, for this page.
    limits: { leaseDurationMs: 2000, renewDeadlineMs: 1500, retryPeriodMs: 200 },
    telemetry: { log: silentLog }, // The failures here are intended.
    onStartedLeading: () => console.log(identity, "leads"),
    onStoppedLeading: () => console.log(identity, "has stopped"),
  });
}

const first = candidate("pod-1");
const firstEnds = first.run().catch((error: Error) => error.name);
await first.lead(async () => console.log("pod-1 works"));

const stop = new AbortController();
const second = candidate("pod-2");
const secondEnds = second.run(stop.signal);
cutOff = "pod-1"; // Now it cannot renew its lease.
await second.lead(async () => console.log("pod-2 works, after", await firstEnds));

stop.abort(); // This releases the lease.
await secondEnds;
