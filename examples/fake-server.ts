import { FakeApiServer } from "listwatch/fake-apiserver";

const server = new FakeApiServer({ seed: 1 });

/** Sends a request like any client, and prints the main parts of the answer. */
async function send(method: string, path: string, object?: object) {
  const headers = { "content-type": "application/json" };
  const body = object === undefined ? null : JSON.stringify(object);
  const url = `http://fake/api/v1/namespaces/default/${path}`;
  const request = new Request(url, { method, headers, body });
  const response = await server.fetch(request);
  const { kind, reason, message } = await response.json();
  console.log(response.status, kind, reason ?? "", message ?? "");
}

const flags = { metadata: { name: "flags" }, data: { beta: "off" } };
await send("POST", "configmaps", flags);
await send("POST", "configmaps", flags);

const stale = { metadata: { name: "flags", resourceVersion: "1" } };
await send("PUT", "configmaps/flags", stale);

await send("GET", "configmaps?labelSelector=app+in+(");
