import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createClient, createConnection } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const events = Array.from({ length: 5 }, (_, index) => {
  const metadata = { namespace: "a", name: `b-${index}`, resourceVersion: String(index + 1) };
  return `${JSON.stringify({ type: "ADDED", object: { metadata } })}\n`;
});

// As kube-apiserver 1.37 answers a watch with initial events (WatchListCompression).
const server = createServer((request, response) => {
  const takesGzip = String(request.headers["accept-encoding"]).includes("gzip");
  const headers = { "content-type": "application/json" };
  response.writeHead(200, takesGzip ? { ...headers, "content-encoding": "gzip" } : headers);
  for (const event of events) response.write(takesGzip ? gzipSync(event) : event);
  response.end();
});

let address = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe("a watch whose server compresses each flush", () => {
  test.each([
    ["fetch", () => createConnection({ server: address })],
    ["node:http", () => createClusterConnection({ server: address, user: {}, origin: "test" })],
  ] as const)("yields all of its events over %s", async (_name, connect) => {
    const client = createClient(connect());
    const maps = client.resource({ group: "", version: "v1", resource: "configmaps" });
    const names: string[] = [];
    for await (const { object } of maps.watch({ namespace: "a" })) {
      names.push((object as { metadata: { name: string } }).metadata.name);
    }
    expect(names).toEqual(["b-0", "b-1", "b-2", "b-3", "b-4"]);
  });
});
