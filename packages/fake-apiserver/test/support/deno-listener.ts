/**
 * A program for Deno: clients that take their answer and leave an open watch, or that leave before
 * there is an answer.
 */
import process from "node:process";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/deno";

const server = new FakeApiServer();
const { control } = server;
const listener = await listen(server);
const pods = `${listener.url}/api/v1/pods`;

if (process.argv[2] === "watch") {
  await (await fetch(pods)).text();
  console.log("listed");
  const watching = new AbortController();
  const watch = await fetch(`${pods}?watch=1`, { signal: watching.signal });
  await control.when.watchOpen();
  watching.abort();
  await watch.text().catch(() => undefined);
  await control.when.watchesClosed();
  console.log("watch has ended");
} else {
  control.faults.add({ action: { type: "blackhole" } });
  const signal = AbortSignal.timeout(process.argv[2] === "early" ? 100 : 1000);
  await fetch(pods, { signal }).catch(() => undefined);
  await control.when.idle();
  console.log("unanswered request has ended");
}
await listener.close();
