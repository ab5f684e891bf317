import { ApiClient, LeaderElector } from "@listwatch/controller";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";

const clock = new SimulatedClock();
const { fetch } = new FakeApiServer({ clock });
const start = clock.now();

function candidate(identity: string, isCutOff = () => false) {
  const client = new ApiClient({
    server: "http://fake",
    fetch: async (request) => {
      if (isCutOff()) throw new TypeError("no route to host");
      return fetch(request);
    },
  });
  const say = (what: string) => console.log(identity, what, `at ${(clock.now() - start) / 1000} s`);
  return new LeaderElector({
    client,
    name: "my-operator",
    namespace: "shop",
    identity,
    clock,
    random: () => 0,
    onStartedLeading: () => say("leads"),
    onStoppedLeading: () => say("has stopped"),
  });
}

let isCutOff = false;
const first = candidate("pod-1", () => isCutOff);
const firstEnds = first.run().catch((error: Error) => error.name);
await clock.advance(1000);

const stop = new AbortController();
const secondEnds = candidate("pod-2").run(stop.signal);
await clock.advance(60_000);

isCutOff = true; // The leader can no longer renew its lease.
await clock.advance(60_000);
console.log(await firstEnds);

stop.abort();
await clock.advance(1000);
await secondEnds;
