// Plain JavaScript with the installed package, no test runner or types.
import { DeltaFIFO, QueueClosedError, RealFIFO } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const deltas = new DeltaFIFO({ keyFunc: (pod) => pod.name });
deltas.add({ name: "pod1", value: 1 });
deltas.update({ name: "pod1", value: 2 });
const seen = [];
await deltas.pop((batch) => {
  for (const { type, object } of batch) seen.push(`${type} ${object.value}`);
});
if (seen.join() !== "Added 1,Updated 2") fail(`DeltaFIFO delivered ${seen.join()}`);

const queue = new RealFIFO();
const waiting = queue.pop(() => {});
queue.add({ metadata: { name: "a", namespace: "b" } });
const [delta] = await waiting;
if (delta.key !== "b/a") fail(`RealFIFO delivered the key ${delta.key}`);
queue.close();
const error = await Promise.resolve()
  .then(() => queue.pop(() => {}))
  .catch((reason) => reason);
if (!(error instanceof QueueClosedError)) fail(`a closed queue gave ${error}`);

const clock = new SimulatedClock();
let fired = false;
clock.setTimeout(() => (fired = true), 60_000);
await clock.advance(60_000);
if (!fired) fail("the simulated clock did not fire");
console.log("ok");
