import { createConnection } from "@listwatch/client";
import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import "./support/fake-only.ts";

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
