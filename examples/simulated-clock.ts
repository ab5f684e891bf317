import { createConnection, httpListerWatcher, SharedInformer, silentLog } from "listwatch";
import { SimulatedClock } from "listwatch/testing";
import { FakeApiServer } from "listwatch/fake-apiserver";

const clock = new SimulatedClock();
const { fetch, control } = new FakeApiServer({ clock, seed: 1 });
control.shutdown(); // Every request is answered with 503.

const connection = createConnection({ server: "http://fake", fetch });
const resource = { group: "", version: "v1", resource: "pods" };
const informer = new SharedInformer({
  listerWatcher: httpListerWatcher({ connection, resource, clock }),
  clock,
  random: () => 0.5,
  telemetry: { log: silentLog }, // The failures here are intended.
});
const stop = new AbortController();
const ended = informer.run(stop.signal);

await clock.advance(3_600_000); // An hour passes at once.
const { problem } = informer.status();
console.log(informer.hasSynced, problem?.reason, problem?.attempts);

control.start();
await clock.advance(60_000);
console.log(informer.hasSynced, informer.status().problem);

stop.abort();
await ended;
console.log(clock.pendingTimers, "timers left");
