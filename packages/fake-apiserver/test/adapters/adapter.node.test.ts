import { ConnectionResetError, FakeApiServer } from "@listwatch/fake-apiserver";
import {
  listen as listenOnNode,
  type FetchHandler,
  type Listener,
  type ListenOptions,
} from "@listwatch/fake-apiserver/node";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { listenHere } from "../support/listen-here.ts";

const open: Listener[] = [];
// Each runtime has its own message.
const broken = /connect|terminated|failed|closed|reset|error|socket/i;

/** Listens with the adapter of the current runtime. */
async function listen(server: FetchHandler, options?: ListenOptions): Promise<Listener> {
  const listener = await listenHere(server, options);
  open.push(listener);
  return listener;
}

async function listenWithNode(server: FetchHandler): Promise<Listener> {
  const listener = await listenOnNode(server);
  open.push(listener);
  return listener;
}

function overSocket({ url }: Listener): ApiClient {
  return new ApiClient({
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      return fetch(new Request(`${url}${pathname}${search}`, request));
    },
  });
}

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

describe("listen", () => {
  test("serves on a free port of the loopback address and returns its address", async () => {
    const server = new FakeApiServer();
    const listener = await listen(server);
    expect(listener.url).toBe(`http://127.0.0.1:${listener.port}`);
    const client = overSocket(listener);
    expect((await client.createConfigMap("a", { x: "Grüße" })).status).toBe(201);
    expect((await client.get(`${configMaps}/a`)).body["data"]).toEqual({ x: "Grüße" });
  });

  test("sends the head of a watch at once and events as they happen", async () => {
    const server = new FakeApiServer();
    const client = overSocket(await listen(server));
    const watch = await client.watch(
      `${configMaps}?watch=1&resourceVersion=${server.control.revision}`,
    );
    expect(watch.response.status).toBe(200);
    await client.createConfigMap("a");
    expect(await watch.take(1)).toEqual(["ADDED a"]);
    server.control.watches.end();
    expect(await watch.rest()).toEqual([]);
  });

  test("ends the watch of a client that goes away", async () => {
    const server = new FakeApiServer();
    const client = overSocket(await listen(server));
    const abort = new AbortController();
    const watch = await client.watch(`${configMaps}?watch=1`, { signal: abort.signal });
    await server.control.when.watchOpen();
    const rest = watch.rest();
    abort.abort(new Error("gone"));
    await expect(rest).rejects.toThrow("gone");
    await server.control.when.watchesClosed();
    expect(server.control.watches.list()).toEqual([]);
  });

  test("breaks the connection where a fault requires it", async () => {
    const server = new FakeApiServer();
    const client = overSocket(await listen(server));
    await client.createConfigMap("a");
    const watch = await client.watch(`${configMaps}?watch=1`);
    expect(await watch.take(1)).toEqual(["ADDED a"]);
    const rest = watch.rest();
    server.control.watches.reset();
    await expect(rest).rejects.toThrow(broken);
    expect((await client.get(configMaps)).status).toBe(200);
  });

  test("forwards the User-Agent, so that faults can match one client", async () => {
    const server = new FakeApiServer();
    const client = overSocket(await listen(server));
    server.control.faults.add({
      match: { userAgent: "kubectl" },
      action: { type: "status", status: { code: 503 } },
    });
    const status = async (agent: string) =>
      (await client.send("GET", configMaps, undefined, { headers: { "user-agent": agent } }))
        .status;
    expect([await status("informer/1"), await status("kubectl/v1.36")]).toEqual([200, 503]);
  });

  test("closes open connections, and can be closed twice", async () => {
    const server = new FakeApiServer();
    const listener = await listen(server);
    const client = overSocket(listener);
    const watch = await client.watch(`${configMaps}?watch=1`);
    const rest = watch.rest();
    await listener.close();
    await expect(rest).rejects.toThrow(broken);
    await expect(client.get(configMaps)).rejects.toThrow(broken);
    await listener.close();
  });

  test("rejects when the port is taken", async () => {
    const server = new FakeApiServer();
    const { port } = await listen(server);
    await expect(listen(server, { port })).rejects.toThrow(/in use|EADDRINUSE/i);
  });

  test("reads a large body, and answers one that is too large without reading the rest", async () => {
    const server = new FakeApiServer();
    const client = overSocket(await listen(server));
    const large = "x".repeat(900_000);
    expect((await client.createConfigMap("large", { large })).status).toBe(201);
    const refused = await client.createConfigMap("huge", { huge: "x".repeat(4_000_000) });
    expect(refused.status).toBe(413);
    expect((await client.get(`${configMaps}/large`)).body["data"].large).toBe(large);
  });

  test("reads no more of a body than the client does, and releases it when the client disconnects", async () => {
    const chunk = new Uint8Array(65_536);
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    let produced = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          produced++;
          controller.enqueue(chunk);
        },
        cancel: () => resolve(),
      },
      { highWaterMark: 0 },
    );
    const server: FetchHandler = {
      fetch: ({ url }) =>
        Promise.resolve(new Response(url.endsWith("/endless") ? body : new URL(url).pathname)),
    };
    const { url } = await listen(server);
    const reader = (await fetch(`${url}/endless`)).body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    for (let round = 0; round < 50; round++) {
      expect(await (await fetch(`${url}/${round}`)).text()).toBe(`/${round}`);
    }
    // 64 MiB: the buffers of two sockets and two streams hold less, and do not grow.
    expect(produced).toBeLessThan(1024);
    await reader?.cancel();
    await cancelled;
  });
});

describe("with node:http", () => {
  test("small answers have their length, large ones come in chunks", async () => {
    const server = new FakeApiServer();
    const { url } = await listenWithNode(server);
    const small = await fetch(`${url}/version`);
    const text = await small.text();
    expect(small.headers.get("content-length")).toBe(String(text.length));
    const client = new ApiClient(server);
    for (let index = 0; index < 20; index++) {
      await client.createConfigMap(`large-${index}`, { text: "x".repeat(20_000) });
    }
    const large = await fetch(`${url}${configMaps}`, {
      headers: { "accept-encoding": "identity" },
    });
    expect(large.headers.get("transfer-encoding")).toBe("chunked");
    expect(await large.json()).toMatchObject({ items: { length: 20 } });
  });

  test("a reset before the answer is a TCP reset", async () => {
    const server = new FakeApiServer();
    const { port } = await listenWithNode(server);
    server.control.faults.add({ action: { type: "reset" } });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`GET ${configMaps} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    });
    socket.on("error", resolve);
    expect(await promise).toMatchObject({ code: "ECONNRESET" });
  });

  test("a method that some runtimes reject in a Request is answered with 4xx", async () => {
    const server = new FakeApiServer();
    const { port } = await listenWithNode(server);
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`TRACE ${configMaps} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("end", () => resolve(text));
    expect(await promise).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test("a WebSocket handshake opens a watch that answers pings, until the client disconnects", async () => {
    const server = new FakeApiServer();
    const { port } = await listenWithNode(server);
    const accepted = Promise.withResolvers<string>();
    const ponged = Promise.withResolvers<Uint8Array>();
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        `GET ${configMaps}?watch=true&resourceVersion=${server.control.revision} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      );
    });
    socket.on("data", (chunk) => {
      if (chunk.at(0) === 0x8a) ponged.resolve(chunk);
      else accepted.resolve(chunk.toString());
    });
    // RFC 6455 §4.2.2: the hash of the key.
    const head = await accepted.promise;
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toContain("sec-websocket-accept: ICX+Yqv66kxgM0FcWaLWlFLwTAI=");
    // A masked ping without a payload.
    socket.write(Uint8Array.of(0x89, 0x80, 1, 2, 3, 4));
    expect([...(await ponged.promise)]).toEqual([0x8a, 0]);
    socket.destroy();
    await server.control.when.watchesClosed();
  });

  test("an exception of the handler breaks that connection only", async () => {
    let calls = 0;
    const { url } = await listenWithNode({
      fetch: () => {
        calls++;
        return calls === 1
          ? Promise.reject(new ConnectionResetError())
          : Promise.resolve(new Response("ok"));
      },
    });
    await expect(fetch(url)).rejects.toThrow(broken);
    expect(await (await fetch(url)).text()).toBe("ok");
  });
});
