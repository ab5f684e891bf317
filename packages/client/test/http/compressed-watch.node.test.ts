import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createClient, createConnection, type Connection } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const events = Array.from({ length: 5 }, (_, index) => {
  const metadata = { namespace: "a", name: `b-${index}`, resourceVersion: String(index + 1) };
  return `${JSON.stringify({ type: "ADDED", object: { metadata } })}\n`;
});

/** Values of `Accept-Encoding` that the server has received. */
const encodings: (string | undefined)[] = [];

// As kube-apiserver 1.37 answers a watch with initial events (WatchListCompression), and a proxy at
// /zips, which compresses in any case.
const server = createServer((request, response) => {
  const encoding = request.headers["accept-encoding"]?.toString();
  encodings.push(encoding);
  const isZipped = request.url?.startsWith("/zips") === true || encoding?.includes("gzip") === true;
  const headers = { "content-type": "application/json" };
  response.writeHead(200, isZipped ? { ...headers, "content-encoding": "gzip" } : headers);
  for (const event of events) response.write(isZipped ? gzipSync(event) : event);
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

async function watchNames(connection: Connection): Promise<readonly string[]> {
  const maps = createClient(connection).resource({
    group: "",
    version: "v1",
    resource: "configmaps",
  });
  const names: string[] = [];
  for await (const { object } of maps.watch({ namespace: "a" })) {
    names.push((object as { metadata: { name: string } }).metadata.name);
  }
  return names;
}

describe.each([
  ["fetch", (to: string) => createConnection({ server: to })],
  ["node:http", (to: string) => createClusterConnection({ server: to, user: {}, origin: "test" })],
] as const)("a watch over %s", (_name, connect) => {
  test("asks for no compression", async () => {
    encodings.length = 0;
    expect(await watchNames(connect(address))).toHaveLength(events.length);
    expect(encodings).toEqual(["identity"]);
  });

  // Deno decodes the first gzip member only.
  test.skipIf("Deno" in globalThis)("is read whole if it is compressed all the same", async () => {
    const names = await watchNames(connect(`${address}/zips`));
    expect(names).toEqual(["b-0", "b-1", "b-2", "b-3", "b-4"]);
  });
});
