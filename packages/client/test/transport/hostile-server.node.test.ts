import { createServer } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { createClient, createConnection, isNetworkError, isStatusError } from "@listwatch/client";
import { nodeTransport } from "@listwatch/client/node";
import { describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";

/** Starts a server that sends this answer to every request. */
async function answeringWith(
  answer: string | Uint8Array,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function failureOver(text: string): Promise<unknown> {
  await using server = await answeringWith(text);
  await using fetch = nodeTransport({ proxy: null });
  const client = createClient(createConnection({ server: server.url, fetch }), { retries: 0 });
  const pods = client.resource({ group: "", version: "v1", resource: "pods" });
  return await failureOf(pods.get("shop/web"));
}

describe("an invalid HTTP response fails its request, not the process", () => {
  test.each([
    ["099", "HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}"],
    ["101 for what asked for no upgrade", "HTTP/1.1 101 Switching\r\n\r\n"],
    ["101", "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
    ["600", "HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\n{}"],
    ["999", "HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}"],
    ["nothing of HTTP", "hello"],
  ])("%s", async (_, text) => {
    const failure = await failureOver(text);
    expect(isNetworkError(failure) || isStatusError(failure)).toBe(true);
    expect(isNetworkError(failure, "timeout")).toBe(false);
  });

  test.each([
    ["205 with a body", "HTTP/1.1 205 Reset\r\nContent-Length: 2\r\n\r\n{}"],
    ["a head that no Kubernetes server sends", "HTTP/1.1 200 OK\r\nRefresh: 0;url=//x\r\n\r\n"],
  ])("%s", async (_, text) => {
    expect(await failureOver(text)).toMatchObject({ name: "DecodeError" });
  });
});

// RFC 9110 §8.4.1: names are case-insensitive. Deno's own client does not support x-gzip.
const codings = ["gzip", "GZip", ...("Deno" in globalThis ? [] : ["x-gzip"])];

test.each(codings)("a response in %s is decoded", async (coding) => {
  const zipped = gzipSync('{"kind":"Pod"}');
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${zipped.length}`;
  await using server = await answeringWith(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), zipped]));
  await using fetch = nodeTransport({ proxy: null });
  const response = await fetch(new Request(server.url));
  expect(await response.json()).toEqual({ kind: "Pod" });
});

test("an echoed proxy password stays out of errors, and reaches no server", async () => {
  const seen: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const text = chunk.toString();
      seen.push(text);
      const line = /^proxy-authorization:.*$/im.exec(text)?.[0] ?? "none";
      const head = seen.length === 1 ? "HTTP/1.1 401 No" : "HTTP/1.1 502 No";
      socket.end(`${head}\r\nContent-Length: ${line.length}\r\n\r\n${line}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await using fetch = nodeTransport({ proxy: `http://me:hunter2hunter2@127.0.0.1:${port}` });
  const connection = createConnection({
    server: "http://192.0.2.1",
    fetch,
    headers: () => ({ authorization: "Bearer 0123456789" }),
  });
  const client = createClient(connection, { retries: 0 });
  const pods = client.resource({ group: "", version: "v1", resource: "pods" });
  const failure = await failureOf(pods.get("shop/web"));
  server.close();
  const shown = inspect(failure, { depth: Infinity, showHidden: true });
  expect(shown).not.toContain(btoa("me:hunter2hunter2"));
  expect(shown).not.toContain("hunter2");
  // One header per attempt, from the runtime. A connection that has just ended adds an attempt.
  expect(seen.length).toBeGreaterThanOrEqual(2);
  for (const text of seen) expect(text.match(/^proxy-authorization:/gim) ?? []).toHaveLength(1);
});
