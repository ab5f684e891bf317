// Plain JavaScript with the installed package, no test runner or types. A hand-made `fetch` plays
// the server.
import { createClient, createConnection, isNotFound } from "@listwatch/client";

const fetch = async (request) =>
  request.url.endsWith("/api/v1/nodes/worker-1")
    ? Response.json({ kind: "Node", apiVersion: "v1", metadata: { name: "worker-1" } })
    : new Response("not here", { status: 404 });

const connection = createConnection({ server: "http://server", fetch });
const nodes = createClient(connection).resource({ group: "", version: "v1", resource: "nodes" });
const { metadata } = await nodes.get("worker-1");
if (metadata.name !== "worker-1") throw new Error(`smoke: expected worker-1, got ${metadata.name}`);
const error = await nodes.get("worker-2").catch((reason) => reason);
if (!isNotFound(error)) throw new Error(`smoke: expected a 404, got ${String(error)}`);
console.log("ok");
