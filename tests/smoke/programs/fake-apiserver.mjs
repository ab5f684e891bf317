// Plain JavaScript with the installed package, no test runner or types.
import { FakeApiServer } from "@listwatch/fake-apiserver";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const server = new FakeApiServer();
const runtime = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";
const { listen } = await import(`@listwatch/fake-apiserver/${runtime}`);
const listener = await listen(server, { port: 0 });
const pods = `${listener.url}/api/v1/namespaces/default/pods`;

const created = await fetch(pods, {
  method: "POST",
  headers: { "content-type": "application/yaml" },
  body: "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-0\nspec:\n  containers:\n    - name: web\n      image: web\n",
});
if (created.status !== 201) fail(`create answered ${created.status}: ${await created.text()}`);
await created.body?.cancel();
const list = await (await fetch(pods)).json();
if (list.kind !== "PodList" || list.items.length !== 1) fail(`the list is ${JSON.stringify(list)}`);

const watch = await fetch(`${pods}?watch=true&resourceVersion=${list.metadata.resourceVersion}`);
const reader = watch.body.pipeThrough(new TextDecoderStream()).getReader();
const deleted = await fetch(`${pods}/web-0?gracePeriodSeconds=0`, { method: "DELETE" });
await deleted.body?.cancel();
let events = "";
while (!events.includes('"type":"DELETED"')) events += (await reader.read()).value;
const types = events
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line).type);
// A pod is marked before it is deleted.
if (types.join() !== "MODIFIED,DELETED") fail(`the watch said ${events}`);
await reader.cancel();
await listener.close();
console.log("ok");
