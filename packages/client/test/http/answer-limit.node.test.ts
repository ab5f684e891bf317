import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createClient, createConnection, type Client, type Connection } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";

const mebi = 1024 * 1024;
const resource = { group: "", version: "v1", resource: "pods" };

/** An object with so many bytes. */
const object = (bytes: number): Buffer => {
  const start = '{"metadata":{"name":"b","namespace":"a"},"data":"';
  return Buffer.from(`${start}${"x".repeat(bytes - start.length - 2)}"}`);
};
const answers = {
  fits: object(16 * mebi),
  large: object(16 * mebi + 1),
  zipped: gzipSync(object(200 * mebi)),
};

const server = createServer((request, response) => {
  const name = request.url?.split("/").at(-1) ?? "";
  const body = name === "fits" ? answers.fits : name === "zipped" ? answers.zipped : answers.large;
  const headers = { "content-type": "application/json" };
  response.writeHead(200, name === "zipped" ? { ...headers, "content-encoding": "gzip" } : headers);
  response.end(body);
});

let connections: readonly (readonly [string, Connection])[] = [];
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  connections = [
    ["fetch", createConnection({ server: address })],
    ["node:http", createClusterConnection({ server: address, user: {}, origin: "test" })],
  ];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const clientsOf = (options = {}): Client[] =>
  connections.map(([, connection]) => createClient(connection, options));

describe("a response that is read as a whole", () => {
  test("may have 16 MiB", async () => {
    for (const client of clientsOf()) {
      const pod = await client.resource(resource).get("a/fits");
      expect(pod.metadata?.name).toBe("b");
    }
  });

  test("is refused if it has more, with a code and what was expected", async () => {
    for (const client of clientsOf()) {
      const pods = client.resource(resource);
      const reads = [
        () => pods.get("a/large"),
        () => pods.patch("a/large", {}),
        () => client.discovery.resources(),
        () => client.request({ method: "GET", path: "/version" }),
      ];
      for (const read of reads) {
        expect(await failureOf(read())).toMatchObject({
          code: "LW_DECODE",
          message: expect.stringContaining("expected an answer of at most 16 MiB (maxAnswerBytes)"),
        });
      }
    }
  });

  test("is measured when it is decompressed, and not decompressed beyond its limit", async () => {
    expect(answers.zipped.length).toBeLessThan(mebi);
    for (const client of clientsOf()) {
      const before = process.memoryUsage().arrayBuffers;
      const failure = await failureOf(client.resource(resource).get("a/zipped"));
      expect(failure).toMatchObject({ code: "LW_DECODE" });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * mebi);
    }
  });

  test("may be larger or must be smaller with an option, of the client or the request", async () => {
    for (const client of clientsOf({ maxAnswerBytes: 32 * mebi })) {
      await client.resource(resource).get("a/large");
      const small = { method: "GET", path: "/version", maxAnswerBytes: 1000 } as const;
      expect(await failureOf(client.request(small))).toMatchObject({
        message: expect.stringContaining("at most 1000 bytes"),
      });
    }
    expect(() => clientsOf({ maxAnswerBytes: 0 })).toThrow(/maxAnswerBytes/);
  });
});
