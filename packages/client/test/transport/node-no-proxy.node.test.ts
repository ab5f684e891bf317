// The proxy answers requests itself, so that an answer shows which way the request went. Addresses
// without a host, such as 0.0.0.0, reach this machine and are not exempt like localhost.
import { createServer, type Server } from "node:http";
import { nodeTransport } from "@listwatch/client/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";

let heard: string[] = [];
const server = createServer((_, response) => response.end("the server"));
const proxy = createServer(({ url, headers }, response) => {
  heard.push(`${String(url)} with ${String(headers.authorization)}`);
  response.end("the proxy");
});
const ports = { server: 0, proxy: 0 };
const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NO_PROXY", "no_proxy"] as const;
const before = names.map((name) => [name, process.env[name]] as const);

async function listen(listener: Server): Promise<number> {
  await new Promise<void>((resolve) => listener.listen(0, "::", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return address.port;
}

beforeAll(async () => {
  ports.server = await listen(server);
  ports.proxy = await listen(proxy);
});
afterEach(() => {
  heard = [];
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
afterAll(() => {
  for (const each of [server, proxy]) each.close().closeAllConnections();
});

/** Sends a request with a token through the environment's proxy, unless that is excepted. */
async function ask(host: string, except: string, method = "GET"): Promise<string> {
  for (const name of names) delete process.env[name];
  const url = `http://127.0.0.1:${ports.proxy}`;
  Object.assign(process.env, { HTTP_PROXY: url, NO_PROXY: except.replace("PORT", portText()) });
  await using transport = nodeTransport();
  const init = { method, headers: { authorization: "Bearer secret" } };
  const response = await transport(new Request(`http://${host}:${ports.server}/`, init));
  return await response.text();
}

function portText(): string {
  return String(ports.server);
}

describe("NO_PROXY", () => {
  test.each([
    ["0.0.0.0", "0.0.0.0"],
    ["0.0.0.0", "0.0.0.0:PORT"],
    ["0.0.0.0", "a.test, 0.0.0.0/8"],
    ["0.0.0.0", "*"],
    ["[::]", "[::]"],
    ["[::]", "[::]:PORT"],
    ["[::]", "::"],
    ["[::]", "::/64"],
    ["[::]", "*"],
  ])("lets a request for %s past the proxy with %s (TLS-9)", async (host, except) => {
    expect(await ask(host, except)).toBe("the server");
    expect(await ask(host, except, "POST")).toBe("the server");
    expect(heard).toEqual([]);
  });

  test.each(["0.0.0.0:1", "0.0.0.1", "*:PORT", ".0.0", ""])(
    "sends a request for 0.0.0.0 to the proxy with %j, as Go does (TLS-9)",
    async (except) => {
      expect(await ask("0.0.0.0", except)).toBe("the proxy");
      expect(heard).toHaveLength(1);
    },
  );

  test.each(["*.listwatch.invalid", ".listwatch.invalid", "listwatch.invalid", "invalid:PORT"])(
    "lets a request for a name past the proxy with %s, so that it fails (TLS-9)",
    async (except) => {
      const failure = await failureOf(ask("api.listwatch.invalid", except));
      expect(failure).toBeInstanceOf(Error);
      expect(heard).toEqual([]);
    },
  );

  test.each(["listwatch.invalid.", "*.api.listwatch.invalid", "watch.invalid", "invalid:1"])(
    "sends a request for a name to the proxy with %s, as Go does (TLS-9)",
    async (except) => {
      expect(await ask("api.listwatch.invalid", except)).toBe("the proxy");
    },
  );
});
