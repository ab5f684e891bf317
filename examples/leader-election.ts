import { createClient, createConnection } from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { FakeApiServer } from "@listwatch/fake-apiserver";

const server = new FakeApiServer();
let cutOff = "none";

function candidate(identity: string) {
  const connection = createConnection({
    server: "http://fake",
    fetch: async (request) => {
      if (cutOff === identity) throw new TypeError("no route to host");
      return server.fetch(request);
    },
  });
  return new LeaderElector({
    client: createClient(connection),
    lease: { namespace: "shop", name: "my-operator" },
    identity,
    // Short, for this page.
    limits: { leaseDurationMs: 1000, renewDeadlineMs: 700, retryPeriodMs: 200 },
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
cutOff = "pod-1"; // It can no longer renew its lease.
await second.lead(async () => console.log("pod-2 works, after", await firstEnds));

stop.abort(); // The lease is given back.
await secondEnds;
