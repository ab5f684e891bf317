import { SimulatedClock } from "listwatch/testing";
import { WorkQueue } from "listwatch";

const clock = new SimulatedClock();
const queue = new WorkQueue<string>({ clock });
const start = clock.now();

async function work() {
  for await (const key of queue) {
    const failures = queue.numRequeues(key);
    const fails = key === "shop/db" && failures < 3;
    const time = `at ${clock.now() - start} ms`;
    console.log(key, fails ? "fails" : "succeeds", time);
    if (fails) queue.addRateLimited(key);
    else queue.forget(key);
  }
}

// Two events about one object are one piece of work.
for (const key of ["shop/web", "shop/db", "shop/web"]) queue.add(key);
const worker = work();
await clock.advance(1000);

queue.addAfter("shop/web", 60_000);
await clock.advance(60_000);

await queue.shutDownWithDrain();
await worker;
