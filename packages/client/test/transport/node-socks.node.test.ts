import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { nodeTransport } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import { Http2Server } from "../support/http2-server.ts";
import { pem, startTlsServers, type TlsServers } from "../support/tls-servers.ts";

let servers: TlsServers;
beforeAll(async () => {
  servers = await startTlsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

interface Proxy extends AsyncDisposable {
  readonly address: string;
  readonly asked: string[];
  readonly credentials: string[];
}

interface ProxyOptions {
  readonly password?: string;
  /** The reply code for connect requests; 0 connects. */
  readonly reply?: number;
  /** Whether the proxy closes every connection immediately. */
  readonly isClosed?: boolean;
}

/** A SOCKS5 proxy (RFC 1928). On loopback each message of a client arrives in one piece. */
async function startProxy({ password, reply = 0, isClosed }: ProxyOptions = {}): Promise<Proxy> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const sockets = new Set<Socket>();
  const serve = async (socket: Socket): Promise<void> => {
    const next = (): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        socket.once("data", resolve).once("close", () => reject(new Error("closed")));
      });
    const [, , ...methods] = await next();
    const method = password === undefined ? 0 : 2;
    if (!methods.includes(method)) return void socket.end(Uint8Array.of(5, 255));
    socket.write(Uint8Array.of(5, method));
    if (password !== undefined) {
      const given = await next();
      const at = 2 + (given[1] ?? 0);
      const text = `${given.toString("utf8", 2, at)}:${given.toString("utf8", at + 1)}`;
      credentials.push(text);
      socket.write(Uint8Array.of(1, text === password ? 0 : 1));
      if (text !== password) return void socket.end();
    }
    const wanted = await next();
    const isName = wanted[3] === 3;
    const host = isName
      ? wanted.toString("utf8", 5, wanted.length - 2)
      : wanted.subarray(4, 8).join(".");
    const port = wanted.readUInt16BE(wanted.length - 2);
    asked.push(`${isName ? "name" : "address"} ${host}`);
    socket.write(Uint8Array.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0));
    if (reply !== 0) return void socket.end();
    const far = connect(port, isName ? "127.0.0.1" : host);
    sockets.add(far);
    far.on("error", () => socket.destroy()).on("close", () => socket.destroy());
    socket.on("close", () => far.destroy());
    socket.pipe(far).pipe(socket);
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    if (isClosed === true) socket.destroy();
    else serve(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    credentials,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const tls = { ca: pem("ca.crt") };

const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe("a SOCKS proxy (TLS-9)", () => {
  test.runIf(isOnNode)("carries HTTP/2 on one connection", async () => {
    await using proxy = await startProxy({ password: "user:secret" });
    await using server = await Http2Server.start({});
    const address = `socks5://user:secret@${proxy.address}`;
    await using transport = nodeTransport({ tls, proxy: address, http2: true });
    for (let request = 0; request < 3; request++) {
      const response = await transport(new Request(`${server.url}/version`));
      expect(await response.text()).toBe("2.0");
    }
    expect(proxy.asked).toEqual(["address 127.0.0.1"]);
    expect(proxy.credentials).toEqual(["user:secret"]);
  });

  test("carries TLS over keep-alive connections", async () => {
    await using proxy = await startProxy();
    await using transport = nodeTransport({ tls, proxy: `socks5://${proxy.address}` });
    for (let request = 0; request < 3; request++) {
      const response = await transport(new Request(`${servers.server}/who`));
      expect(await response.json()).toMatchObject({ groupLines: 0 });
    }
    expect(proxy.asked).toEqual(["address 127.0.0.1"]);
  });

  test("receives the server's name, and the credentials", async () => {
    await using proxy = await startProxy({ password: "me:pä ss" });
    const address = `socks5h://me:p%C3%A4%20ss@${proxy.address}`;
    await using transport = nodeTransport({ proxy: address, tls: { serverName: "a" } });
    const url = servers.plain.replace("127.0.0.1", "localhost");
    expect((await transport(new Request(`${url}/who`))).status).toBe(200);
    expect(proxy.asked).toEqual(["name localhost"]);
    expect(proxy.credentials).toEqual(["me:pä ss"]);
  });

  test("carries an open watch, which ends with its signal", async () => {
    await using proxy = await startProxy();
    await using transport = nodeTransport({ tls, proxy: `socks5://${proxy.address}` });
    const ending = new AbortController();
    const { signal } = ending;
    const response = await transport(new Request(`${servers.server}/watch`, { signal }));
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("first");
    ending.abort(new Error("enough"));
    expect(String(await failureOf(reader.read()))).toContain("enough");
  });

  test.each<[string, ProxyOptions]>([
    ["refuses the password", { password: "you:other" }],
    ["has rules against it", { reply: 2 }],
    ["is refused by the server", { reply: 5 }],
    ["is none", { isClosed: true }],
  ])("that %s fails the request without showing the password (AUTH-2)", async (_, options) => {
    await using proxy = await startProxy(options);
    const address = `socks5://me:hunter2hunter2@${proxy.address}`;
    // With a server name Deno uses this client, not its own, which has other error messages.
    await using transport = nodeTransport({
      proxy: address,
      tls: { ...tls, serverName: "kubernetes.test" },
    });
    const failure = await failureOf(transport(new Request(`${servers.server}/who`)));
    expect(String(failure)).toMatch(/The SOCKS proxy socks5:\/\/….*127\.0\.0\.1:\d+: \w+/);
    expect(String(failure)).not.toContain("hunter2");
  });
});
