import { Controller, TerminalError } from "listwatch";
import { SimulatedClock } from "listwatch/testing";

const clock = new SimulatedClock();
const controller = new Controller({
  clock,
  reconcile: (key, { retries }) => {
    if (key === "broken") throw new TerminalError("makes no sense");
    if (key === "flaky" && retries < 2) throw new Error("not now");
    console.log("reconciled", key);
  },
  onError: (error, { key, failures, willRetry }) => {
    const next = willRetry ? "will be retried" : "will not be retried";
    console.log(key, (error as Error).name, failures, next);
  },
});
for (const key of ["broken", "flaky", "fine"]) controller.queue.add(key);

const stop = new AbortController();
const running = controller.run(stop.signal);
await clock.advance(1000);
stop.abort();
await running;
