import { Controller, TerminalError } from "@listwatch/controller";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

const clock = new SimulatedClock();
const controller = new Controller({
  clock,
  reconcile: (key, { retries }) => {
    if (key === "shop/broken") throw new TerminalError("its spec makes no sense");
    if (key === "shop/flaky" && retries < 2) throw new Error("not now");
    console.log("reconciled", key);
  },
  onError: (error, { key, failures, willRetry }) => {
    const next = willRetry ? "will be retried" : "will not be retried";
    console.log(key, "failed", failures, "times:", (error as Error).name, next);
  },
});
for (const name of ["broken", "flaky", "fine"]) controller.queue.add(`shop/${name}`);

const stop = new AbortController();
const running = controller.run(stop.signal);
await clock.advance(1000);
stop.abort();
await running;
