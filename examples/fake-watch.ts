import { FakeApiServer } from "@listwatch/fake-apiserver";

const server = new FakeApiServer();
const pods = "http://fake/api/v1/namespaces/shop/pods";

// A watch is a response whose body does not end.
const watch = await server.fetch(new Request(`${pods}?watch=true`));
const lines = watch.body!.pipeThrough(new TextDecoderStream()).getReader();

const pod = { metadata: { name: "cart-0" }, spec: { containers: [] } };
const headers = { "content-type": "application/json" };
const body = JSON.stringify(pod);
await server.fetch(new Request(pods, { method: "POST", headers, body }));
await server.fetch(new Request(`${pods}/cart-0`, { method: "DELETE" }));

for (let event = 0; event < 2; event++) {
  const { value = "" } = await lines.read();
  const { type, object } = JSON.parse(value);
  console.log(type, object.metadata.name);
}

// The server ends it, as one that is shut down does.
server.control.watches.end();
console.log((await lines.read()).done);
