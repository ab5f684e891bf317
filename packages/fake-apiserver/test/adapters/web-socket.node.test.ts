import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import type { Listener } from "@listwatch/fake-apiserver/node";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { listenHere } from "../support/listen-here.ts";

const open: Listener[] = [];

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

async function setUp(options: FakeApiServerOptions = {}): Promise<{
  readonly server: FakeApiServer;
  readonly listener: Listener;
  readonly client: ApiClient;
  readonly url: string;
}> {
  const server = new FakeApiServer(options);
  const listener = await listenHere(server);
  open.push(listener);
  const url = listener.url.replace("http:", "ws:");
  return { server, listener, client: new ApiClient(server), url };
}

class Messages {
  readonly socket: WebSocket;
  readonly ended: Promise<number>;
  readonly #texts: string[] = [];
  #waiting: (() => void) | undefined;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    const { promise, resolve } = Promise.withResolvers<number>();
    this.ended = promise;
    this.socket.addEventListener("close", ({ code }) => resolve(code));
    this.socket.addEventListener("message", ({ data }) => {
      this.#texts.push(String(data));
      this.#waiting?.();
    });
  }

  async take(count: number): Promise<readonly string[]> {
    while (this.#texts.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.#texts.splice(0, count).map((text) => {
      const event = JSON.parse(text) as { type: string; object: { metadata: { name: string } } };
      return `${event.type} ${event.object.metadata.name}`;
    });
  }
}

describe("a watch over WebSocket", () => {
  test("sends one text frame for each event, and ends when the watch ends", async () => {
    const { client, server, url } = await setUp();
    await client.createConfigMap("a");
    const messages = new Messages(`${url}${configMaps}?watch=true`);
    expect(await messages.take(1)).toEqual(["ADDED a"]);
    await client.updateConfigMap("a", { text: "x".repeat(200_000) });
    await client.createConfigMap("b", { text: "ü".repeat(100) });
    expect(await messages.take(2)).toEqual(["MODIFIED a", "ADDED b"]);
    server.control.watches.end();
    expect([1000, 1005]).toContain(await messages.ended);
  });

  test("ends on the server when the client closes it", async () => {
    const { client, server, url } = await setUp();
    await client.createConfigMap("a");
    const messages = new Messages(`${url}${configMaps}?watch=true`);
    await messages.take(1);
    expect(server.control.watches.list()).toHaveLength(1);
    messages.socket.close();
    await messages.ended;
    const isGone = (): void => expect(server.control.watches.list()).toHaveLength(0);
    await vi.waitFor(isGone, { timeout: 300_000 });
  });

  test("is broken when the listener closes", async () => {
    const { client, listener, url } = await setUp();
    await client.createConfigMap("a");
    const messages = new Messages(`${url}${configMaps}?watch=true`);
    await messages.take(1);
    await listener.close();
    expect(await messages.ended).not.toBe(1000);
  });

  test("that is rejected opens no WebSocket", async () => {
    const { url } = await setUp({ users: {} });
    const messages = new Messages(`${url}${configMaps}?watch=true`);
    expect(await messages.ended).not.toBe(1000);
  });

  test("is not opened by other upgrades, such as to HTTP/2", async () => {
    const { listener } = await setUp();
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" };
    const outgoing = httpRequest(`${listener.url}/version`, { headers }, (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(incoming.statusCode));
    });
    outgoing.on("error", reject).end();
    expect(await promise).toBe(200);
  });
});

describe("a handler without sockets", () => {
  test("ends the response, so that clients watch over HTTP (API-0.15)", async () => {
    const server = new FakeApiServer();
    const url = `http://localhost${configMaps}?watch=true`;
    const response = await server.fetch(new Request(url, { headers: { upgrade: "websocket" } }));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("watch over HTTP");
  });
});

test("a watch whose reader does not read is ended, and memory stays bounded", async () => {
  const { client, listener, server } = await setUp({ watch: { bufferBytes: 2_000_000 } });
  const head = [
    `GET ${configMaps}?watch=1 HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const socket = connect(listener.port, "127.0.0.1");
  try {
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    expect(server.control.watches.list()).toHaveLength(1);
    const data = { text: "x".repeat(1_000_000) };
    // The socket buffers of the system hold some megabytes.
    for (let index = 0; index < 60 && server.control.watches.list().length > 0; index++) {
      await client.createConfigMap(`c${index}`, data);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.control.watches.list()).toEqual([]);
  } finally {
    socket.destroy();
  }
});
