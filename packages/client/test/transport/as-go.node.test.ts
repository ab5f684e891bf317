// The table "Go and the runtimes" of the page on connections, for the form of answers. Go's answers
// are those of net/http of Go 1.26, from the same bytes. Certificates, NO_PROXY and closed
// connections are in separate tests of this folder.
import { createServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { nodeTransport, type Transport } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const fields = (count: number): string =>
  Array.from({ length: count }, (_, index) => `X-${index}: a\r\n`).join("");
const large = (kibibytes: number): string => `X-A: ${"a".repeat(kibibytes * 1024)}\r\n`;
const zipped = (bytes: Uint8Array): readonly [string, Uint8Array] => [
  `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bytes.length}\r\n\r\n`,
  bytes,
];
const plain = (head: string): readonly [string, Uint8Array] => [
  `${head}\r\n`,
  new TextEncoder().encode("ok"),
];
const lengthOf2 = "Content-Length: 2\r\n";

/** Answers by name. */
const answers: Readonly<Record<string, readonly [head: string, body: Uint8Array]>> = {
  "HTTP/1.0 with a length": plain(`HTTP/1.0 200 OK\r\n${lengthOf2}`),
  "HTTP/1.0 until the end": plain("HTTP/1.0 200 OK\r\n"),
  "HTTP/1.1 until the end": plain("HTTP/1.1 200 OK\r\nConnection: close\r\n"),
  "100 and 103 before": plain(
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n${lengthOf2}`,
  ),
  "fields of 15 KiB": plain(`HTTP/1.1 200 OK\r\n${large(15)}${lengthOf2}`),
  "fields of 300 KiB": plain(`HTTP/1.1 200 OK\r\n${large(300)}${lengthOf2}`),
  "fields of 2 MiB": plain(`HTTP/1.1 200 OK\r\n${large(2048)}${lengthOf2}`),
  "90 fields": plain(`HTTP/1.1 200 OK\r\n${fields(90)}${lengthOf2}`),
  "1500 fields": plain(`HTTP/1.1 200 OK\r\n${fields(1500)}${lengthOf2}`),
  "one gzip member": zipped(gzipSync("ok")),
  "several gzip members": zipped(Buffer.concat([gzipSync("o"), gzipSync("k")])),
  "gzip that is cut": zipped(gzipSync("ok".repeat(1000)).subarray(0, 20)),
};

const names = Object.keys(answers);
let server: Server;
let transport: Transport;
let url = "";
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      const [, index = ""] = /^GET \/(\d+) /.exec(String(data)) ?? [];
      const [head = "", body = ""] = answers[names[Number(index)] ?? ""] ?? [];
      socket.write(head);
      socket.write(body);
      if (!/content-length/i.test(head)) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  transport = nodeTransport({ proxy: null });
});
afterAll(async () => {
  await transport[Symbol.asyncDispose]();
  server.close();
});

async function ask(name: string): Promise<string> {
  try {
    const response = await transport(new Request(`${url}/${names.indexOf(name)}`));
    return await response.text();
  } catch {
    return "an error";
  }
}

const runtime = "Deno" in globalThis ? "Deno" : "Bun" in globalThis ? "Bun" : "Node";

/** Answers that a runtime reads unlike Go. All others it reads alike. */
const differences: Readonly<Record<typeof runtime, Readonly<Record<string, string>>>> = {
  Node: {},
  Bun: {},
  // Its client is that of the runtime, which has no options for these.
  Deno: {
    "fields of 2 MiB": "an error",
    "1500 fields": "an error",
    "several gzip members": "o",
  },
};

describe("an answer is read as by Go, or as the table says", () => {
  test.each(names)("%s", async (name) => {
    const go = name === "gzip that is cut" ? "an error" : "ok";
    expect(await ask(name)).toBe(differences[runtime][name] ?? go);
  });
});
