// Plain JavaScript with the installed package, no test runner or types.
import { ItemExponentialFailureRateLimiter, WorkQueue } from "@listwatch/workqueue";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const rateLimiter = new ItemExponentialFailureRateLimiter({ baseMs: 1, maxMs: 10 });
const queue = new WorkQueue({ rateLimiter });
queue.add("a/web-0");
queue.add("a/web-0");
if (queue.length !== 1) fail(`two adds of one key wait as ${queue.length}`);
const work = await queue.get();
if (work.item !== "a/web-0") fail(`got ${work.item}`);
queue.addRateLimited("a/web-0");
queue.done(work.item);
const again = await queue.get();
if (queue.numRequeues("a/web-0") !== 1) fail("the retry was not counted");
queue.forget("a/web-0");
queue.done(again.item);
await queue.shutDownWithDrain();
console.log("ok");
