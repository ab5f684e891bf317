import { FakeApiServer } from "listwatch/fake-apiserver";

const server = new FakeApiServer();
const pods = "http://fake/api/v1/namespaces/default/pods";

// A watch is a response with an endless body, one event a line.
const watch = await server.fetch(`${pods}?watch=true`);
const chunks = watch.body!.pipeThrough(new TextDecoderStream()).getReader();

const pod = {
  metadata: { name: "cart-0" },
  spec: { containers: [{ name: "app", image: "cart" }] },
};
const headers = { "content-type": "application/json" };
await server.fetch(pods, { method: "POST", headers, body: JSON.stringify(pod) });
// A pod is marked before it is removed, so that its node can stop it.
await server.fetch(`${pods}/cart-0`, { method: "DELETE" });

let text = "";
while (!text.includes("DELETED")) text += (await chunks.read()).value;
for (const line of text.trimEnd().split("\n")) {
  const { type, object } = JSON.parse(line);
  console.log(type, object.metadata.name);
}

// The server ends the watch, as during a shutdown.
server.control.watches.end();
console.log((await chunks.read()).done);
