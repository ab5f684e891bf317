import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { Listener } from "@listwatch/fake-apiserver/node";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { listenHere } from "../support/listen-here.ts";

let server: FakeApiServer;
let listener: Listener;

beforeEach(async () => {
  server = new FakeApiServer();
  listener = await listenHere(server);
});

afterEach(() => listener.close());

/**
 * Writes bytes to the listener and returns everything received until the connection ends.
 *
 * @param ends half-closes the connection, which a server may treat as the end of the client
 */
function exchange(text: string, { port }: Listener = listener, ends = false): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(Buffer.from(text, "latin1"));
    if (ends) socket.end();
  });
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(received));
  return promise;
}

/** Returns the status of the first response; 0 when the connection ended without one. */
async function statusOf(text: string, where?: Listener, ends?: boolean): Promise<number> {
  const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(await exchange(text, where, ends)) ?? [];
  return Number(status ?? 0);
}

/** Same as {@link statusOf} for an incomplete request. */
function statusOfAttack(text: string): Promise<number> {
  return statusOf(text, listener, true);
}

function get(target: string, ...headers: readonly string[]): string {
  return `GET ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\nConnection: close\r\n\r\n`;
}

/** Requests a name that an attacker's page has pointed to the listener; returns the status. */
async function rebound({ port, url }: Listener): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { hostname } = new URL(url);
  const socket = connect(port, hostname.replace(/^\[|\]$/g, ""), () => {
    socket.write(get("/version", "Host: evil.example"));
  });
  socket.on("data", (chunk) => resolve(Number(chunk.toString("latin1").slice(9, 12))));
  socket.on("error", () => resolve(0));
  return promise.finally(() => socket.destroy());
}

describe("a listener on the loopback address", () => {
  test.each([
    "localhost",
    "127.0.0.1:80",
    "127.1.2.3",
    "app.localhost:1",
    "[::1]:80",
    "LOCALHOST.",
  ])("accepts the name %s", async (host) => {
    expect(await statusOf(get(configMaps, `Host: ${host}`))).toBe(200);
  });

  test.each([
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "notlocalhost",
  ])("rejects the name %s, against DNS rebinding", async (host) => {
    const answer = await exchange(get(configMaps, `Host: ${host}`));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toMatch(/is not served: expected localhost or a loopback address/);
  });

  test.each(["127.1", "0x7f.0.0.1", "0:0:0:0:0:0:0:1", "LocalHost"])(
    "has the same protection in the spelling %s",
    async (host) => {
      const other = await listenHere(server, { host }).catch(() => undefined);
      // Not every runtime accepts every spelling, and not every machine has IPv4 and IPv6.
      const answer = other === undefined ? 403 : await rebound(other);
      await other?.close();
      expect(answer).toBe(403);
    },
  );

  test("allows private network access for allowed origins", async () => {
    await using open = await listenHere(server, { cors: ["https://app.example"] });
    const preflight = (origin: string): string =>
      get(
        configMaps,
        "Host: localhost",
        `Origin: ${origin}`,
        "Access-Control-Request-Method: GET",
        "Access-Control-Request-Private-Network: true",
      ).replace("GET", "OPTIONS");
    const header = "access-control-allow-private-network: true";
    expect((await exchange(preflight("https://app.example"), open)).toLowerCase()).toContain(
      header,
    );
    expect((await exchange(preflight("https://b.example"), open)).toLowerCase()).not.toContain(
      header,
    );
  });

  test("accepts the names of the option; a listener for other machines accepts any name", async () => {
    await using told = await listenHere(server, { allowedHosts: ["Host.docker.internal"] });
    expect(await statusOf(get("/version", "Host: host.docker.internal:80"), told)).toBe(200);
    await using open = await listenHere(server, { host: "0.0.0.0" });
    expect(await statusOf(get("/version", "Host: fake.example"), open)).toBe(200);
  });

  test.each(["http://evil.example", "null", "http://localhost:5173", "https://127.0.0.1"])(
    "rejects the origin %s",
    async (origin) => {
      const headers = ["Host: 127.0.0.1", `Origin: ${origin}`];
      expect(await statusOf(get(configMaps, ...headers))).toBe(403);
      const body = `{"metadata":{"name":"a"}}`;
      const lines = [
        ...headers,
        "Content-Type: text/plain",
        `Content-Length: ${body.length}`,
        "Connection: close",
      ];
      const post = `POST ${configMaps} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
      expect(await statusOf(post)).toBe(403);
      expect(server.control.eventLog("configmaps")).toEqual([]);
    },
  );

  test("accepts its own origin and those of the option cors, with their preflight requests", async () => {
    const own = `Origin: http://127.0.0.1:${listener.port}`;
    expect(await statusOf(get("/version", `Host: 127.0.0.1:${listener.port}`, own))).toBe(200);
    await using open = await listenHere(server, { cors: ["http://app.example"] });
    const allowed = "Origin: http://app.example";
    const answer = await exchange(get("/version", "Host: localhost", allowed), open);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain("access-control-allow-origin: http://app.example\r\n");
    const preflight = get(
      configMaps,
      "Host: localhost",
      allowed,
      "Access-Control-Request-Method: PATCH",
    ).replace("GET", "OPTIONS");
    expect((await exchange(preflight, open)).toLowerCase()).toMatch(
      /^http\/1\.1 204 [^]*access-control-allow-methods: [^\r]*patch/,
    );
    expect(
      await statusOf(get("/version", "Host: localhost", "Origin: http://b.example"), open),
    ).toBe(403);
  });
});

describe("the target of a request", () => {
  test("may be an absolute URL, whose name applies", async () => {
    const named = (url: string, host: string): Promise<number> =>
      statusOf(get(url, `Host: ${host}`));
    expect(await named(`http://127.0.0.1${configMaps}`, "127.0.0.1")).toBe(200);
    expect(await named(`http://127.0.0.1:80${configMaps}?limit=1`, "localhost")).toBe(200);
    expect([400, 403]).toContain(await named(`http://evil.example${configMaps}`, "localhost"));
  });

  test.each([
    "localhost/api/v1/secrets?x=",
    "localhost/api/v1/namespaces/default/secrets#",
    "user@localhost",
    "user:password@localhost",
    "localhost:x",
    "local host",
    "localhost\\evil",
    "[::1",
    "%6cocalhost",
  ])("is not changed by a Host header of %s", async (host) => {
    await new ApiClient(server).createConfigMap("a");
    server.control.recorder.clear();
    const status = await statusOf(get(`${configMaps}/a`, `Host: ${host}`));
    expect([0, 400, 403]).toContain(status);
    expect(server.control.recorder.list()).toEqual([]);
  });

  test.each([
    ["two Host headers", get(configMaps, "Host: localhost", "Host: evil.example")],
    ["no Host header", get(configMaps, "Accept: */*")],
    ["a user in the URL", get(`http://me@localhost${configMaps}`, "Host: localhost")],
    ["no slash", get("localhost/version", "Host: localhost")],
    ["an asterisk", get("*", "Host: localhost")],
    ["another scheme", get("ftp://localhost/version", "Host: localhost")],
    ["a space in the target", get("/version /x", "Host: localhost")],
    ["CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["TRACE", "TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"],
    ["an unknown version", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n"],
    ["no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001"],
    ["a bad header", get(configMaps, "Host: localhost", "Bad Header: x")],
    ["a control character in a header", get(configMaps, "Host: localhost", "X: a\u0000b")],
    ["a header without end", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(1_000_000)}`],
    ["a target without end", `GET /${"x".repeat(1_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ["a method without end", `${"X".repeat(100_000)} / HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ])("is rejected with %s, and the next one is answered", async (_name, text) => {
    const status = await statusOfAttack(text);
    expect(status === 0 || (status >= 400 && status < 600)).toBe(true);
    expect(await statusOf(get("/version", "Host: localhost"))).toBe(200);
  });

  test.each(["http://[::1/", "http://localhost:x/", "http://"])(
    "is rejected with 400 when it is %s, which is not a URL",
    async (target) => {
      expect(await statusOf(get(target, "Host: localhost"))).toBe(400);
    },
  );

  const body = JSON.stringify({ metadata: { name: "a" } });
  const post = (...lines: readonly string[]): string =>
    `POST ${configMaps} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lines.join("\r\n")}`;

  test.each([
    [
      "a length and chunks",
      post(`Content-Length: ${body.length}`, "Transfer-Encoding: chunked", "", body),
    ],
    ["two lengths", post("Content-Length: 1", `Content-Length: ${body.length}`, "", body)],
    ["a negative length", post("Content-Length: -1", "", body)],
    ["a length that is no number", post("Content-Length: 1e3", "", body)],
    ["less than the length", post(`Content-Length: ${body.length + 1}`, "", body)],
    ["a chunk of no size", post("Transfer-Encoding: chunked", "", "zz", body)],
    ["a chunk that is too short", post("Transfer-Encoding: chunked", "", "ff", body)],
    ["no last chunk", post("Transfer-Encoding: chunked", "", body.length.toString(16), body, "")],
  ])("creates nothing with %s of a body", async (_name, text) => {
    const status = await statusOfAttack(text);
    expect(status === 0 || (status >= 400 && status < 600)).toBe(true);
    expect(server.control.eventLog("configmaps")).toEqual([]);
    expect(await statusOf(get("/version", "Host: localhost"))).toBe(200);
  });
});
