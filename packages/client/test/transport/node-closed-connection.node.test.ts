import { nodeTransport, type Transport } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import { startClosingServers, type ClosingServers } from "../support/closing-server.ts";
import { pem } from "../support/tls-servers.ts";

let servers: ClosingServers;
beforeAll(async () => {
  servers = await startClosingServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

type Scheme = "http" | "https";

function open(): Transport {
  return nodeTransport({ tls: { ca: pem("ca.crt") } });
}

async function send(
  transport: Transport,
  scheme: Scheme,
  method: string,
  path = "/",
): Promise<number> {
  const body = method === "GET" ? null : "x".repeat(100);
  const response = await transport(new Request(servers.urls[scheme] + path, { method, body }));
  await response.text();
  return response.status;
}

/** Calls a function after so many turns of the event loop. */
function afterTurns(count: number, action: () => void): void {
  if (count === 0) action();
  else setImmediate(() => afterTurns(count - 1, action));
}

describe.each([
  ["http", "reset"],
  ["http", "end"],
  ["http", "408"],
  ["https", "reset"],
  ["https", "end"],
] as const)("a server of %s that closes unused connections by %s", (scheme, way) => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "GET"])(
    "gets each %s once, on another connection (TLS-11)",
    async (method) => {
      await using transport = open();
      const before = servers.countWrites();
      for (let round = 0; round < 3; round++) {
        await Promise.all([send(transport, scheme, "GET"), send(transport, scheme, "GET")]);
        servers.closeAll(way);
        expect(await send(transport, scheme, method)).toBe(200);
      }
      expect(servers.countWrites() - before).toBe(method === "GET" ? 0 : 3);
    },
  );
});

describe.each(["http", "https"] as const)("a write over %s", (scheme) => {
  test.each([0, 1, 2, 3, 4, 5, 6])(
    "gets there once at most, if the server resets after %i turns (TLS-11)",
    async (turns) => {
      await using transport = open();
      await send(transport, scheme, "GET");
      const before = servers.countWrites();
      const sent = send(transport, scheme, "POST").catch(() => "failed");
      await new Promise<void>((resolve) => {
        afterTurns(turns, () => {
          servers.closeAll("reset");
          resolve();
        });
      });
      const result = await sent;
      // A write that fails may have arrived, since the reset can meet it.
      const wanted = result === "failed" ? [0, 1] : [1];
      expect(wanted).toContain(servers.countWrites() - before);
    },
  );

  test.each(["/reset", "/end"])(
    "that the server has read is never sent again, on a new connection or a used one: %s (TLS-11)",
    async (path) => {
      await using transport = open();
      const before = servers.countWrites();
      for (const method of ["POST", "DELETE", "PATCH"]) {
        await failureOf(send(transport, scheme, method, path));
        await send(transport, scheme, "GET");
      }
      expect(servers.countWrites() - before).toBe(3);
    },
  );
});
