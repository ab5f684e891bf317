import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { NetworkError } from "@listwatch/client";
import { networkErrorFrom } from "@listwatch/client/base";
import { nodeTransport, type Transport, type TransportOptions } from "@listwatch/client/node";
import { describe, expect, test } from "vitest";
import { Http2Server, type Http2ServerOptions } from "../support/http2-server.ts";
import { pem } from "../support/tls-servers.ts";

const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);
const ca = pem("ca.crt");

async function open(
  options: Partial<TransportOptions> = {},
  serverOptions: Http2ServerOptions = {},
): Promise<AsyncDisposable & { server: Http2Server; transport: Transport; get: Get }> {
  const server = await Http2Server.start(serverOptions);
  const transport = nodeTransport({ tls: { ca }, proxy: null, http2: true, ...options });
  return {
    server,
    transport,
    get: (path, init) => transport(new Request(`${server.url}${path}`, init)),
    [Symbol.asyncDispose]: async () => {
      await transport[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

type Get = (path: string, init?: RequestInit) => Promise<Response>;
type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function watchWith(get: Get, init?: RequestInit): Promise<Reader> {
  const { body } = await get("/watch", init);
  if (body === null) throw new Error("The watch has no body");
  const reader = body.getReader();
  await reader.read();
  return reader;
}

function watches(get: Get, count: number): Promise<readonly Reader[]> {
  return Promise.all(Array.from({ length: count }, () => watchWith(get)));
}

test.runIf(!isOnNode)("a runtime other than Node refuses HTTP/2", () => {
  expect(() => nodeTransport({ http2: true })).toThrow(
    /http2: expected false on (Deno|Bun), since true needs Node/,
  );
});

describe.runIf(isOnNode)("connections over HTTP/2", () => {
  test("are used only on request", async () => {
    await using on = await open();
    expect(await (await on.get("/version")).text()).toBe("2.0");
    await using off = await open({ http2: undefined });
    expect(await (await off.get("/version")).text()).toBe("1.1");
  });

  test("carry 200 watches on one connection", async () => {
    await using cluster = await open();
    await watches(cluster.get, 200);
    expect(cluster.server.connections).toBe(1);
  });

  test("are opened one by one when the server takes no more requests on the others", async () => {
    await using cluster = await open({}, { maxConcurrentStreams: 100 });
    const [first] = await watches(cluster.get, 200);
    expect(cluster.server.connections).toBe(2);
    await (await cluster.get("/version")).text();
    expect(cluster.server.connections).toBe(3);
    await first?.cancel();
    await cluster.server.untilOpen(199);
    await watches(cluster.get, 1);
    expect(cluster.server.connections).toBe(3);
  });

  test("are not used for a server without HTTP/2, which gets HTTP/1.1", async () => {
    await using cluster = await open({}, { isOld: true });
    const answers = await Promise.all(["/version", "/version"].map((path) => cluster.get(path)));
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["1.1", "1.1"]);
  });

  test("are left after a GOAWAY, on which open watches continue", async () => {
    await using cluster = await open();
    const watch = await watchWith(cluster.get);
    cluster.server.goAway();
    await cluster.server.send("second\n");
    expect(new TextDecoder().decode((await watch.read()).value)).toBe("second\n");
    expect(await (await cluster.get("/version")).text()).toBe("2.0");
    expect(cluster.server.connections).toBe(2);
    await watch.cancel();
  });

  test("end all their watches with one network error when they break", async () => {
    await using cluster = await open();
    const open60 = await watches(cluster.get, 60);
    const ends = open60.map((reader) => reader.read().catch((error: unknown) => error));
    cluster.server.breakConnections();
    for (const error of await Promise.all(ends)) {
      expect(networkErrorFrom(error, "Cannot watch")).toBeInstanceOf(NetworkError);
      expect(networkErrorFrom(error, "Cannot watch").kind).toBe("connection-reset");
    }
    expect(await (await cluster.get("/version")).text()).toBe("2.0");
  });

  test("are opened once for all watches that a broken one has ended", async () => {
    await using cluster = await open();
    const ended = (await watches(cluster.get, 60)).map((reader) => reader.closed);
    cluster.server.breakConnections();
    await Promise.allSettled(ended);
    await watches(cluster.get, 60);
    expect(cluster.server.connections).toBe(2);
  });

  test("carry a renewed token with the next request", async () => {
    await using cluster = await open();
    const watch = await watchWith(cluster.get);
    for (const token of ["old", "new"]) {
      const headers = { authorization: `Bearer ${token}` };
      expect(await (await cluster.get("/token", { headers })).text()).toBe(`Bearer ${token}`);
    }
    expect(cluster.server.connections).toBe(1);
    await watch.cancel();
  });

  test("that are dead are found by a ping, and end their watches", async () => {
    const clock = new SimulatedClock();
    await using proxy = await Http2Server.startProxy();
    await using cluster = await open({ clock, proxy: proxy.url });
    const watch = await watchWith(cluster.get);
    let end: unknown;
    void watch.read().catch((error: unknown) => (end = error));
    proxy.freeze();
    await clock.advance(59_999);
    expect(end).toBeUndefined();
    await clock.advance(1);
    expect(networkErrorFrom(end, "Cannot watch").kind).toBe("timeout");
  });

  test("that are quiet but alive are kept", async () => {
    const clock = new SimulatedClock();
    await using cluster = await open({ clock });
    const watch = await watchWith(cluster.get);
    for (let minute = 0; minute < 5; minute++) {
      await clock.advance(45_000);
      await cluster.server.untilPinged(minute + 1);
      // The answer to the ping arrives before this one.
      await (await cluster.get("/version")).text();
    }
    await cluster.server.send("alive\n");
    expect(new TextDecoder().decode((await watch.read()).value)).toBe("alive\n");
    await watch.cancel();
  });

  test("are replaced after a 421, even for a write", async () => {
    await using cluster = await open();
    const answer = await cluster.get("/misdirected", { method: "POST", body: "abc" });
    expect([answer.status, await answer.text()]).toEqual([200, "abc"]);
    expect(cluster.server.connections).toBe(2);
    const always = await cluster.get("/misdirected-always");
    expect(always.status).toBe(421);
    await always.text();
  });

  test("repeat a write that the server has not processed", async () => {
    await using cluster = await open();
    const answer = await cluster.get("/refused", { method: "POST", body: "abc" });
    expect([answer.status, await answer.text()]).toEqual([200, "abc"]);
  });

  test("carry other requests while 50 readers read nothing", async () => {
    await using cluster = await open();
    const slow = await Promise.all(Array.from({ length: 50 }, () => cluster.get("/flood")));
    for (let index = 0; index < 20; index++) {
      expect(await (await cluster.get("/version")).text()).toBe("2.0");
    }
    expect((await (await cluster.get("/large")).arrayBuffer()).byteLength).toBe(20_000_000);
    expect(cluster.server.connections).toBe(1);
    for (const { body } of slow) await body?.cancel();
  });
});

describe.runIf(isOnNode)("a stream", () => {
  test("is reset by an abort, with its reason, and by the cancellation of its body", async () => {
    await using cluster = await open();
    const stop = new AbortController();
    const aborted = await watchWith(cluster.get, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(aborted.read()).rejects.toThrow("enough");
    await (await watchWith(cluster.get)).cancel();
    await cluster.server.untilOpen(0);
    expect(cluster.server.resets).toEqual(["CANCEL", "CANCEL"]);
  });

  test.each(["/reset-without-error", "/reset", "/short", "/close"])(
    "never seems complete when it was cut: %s",
    async (path) => {
      await using cluster = await open();
      const answer = await cluster.get(path);
      const error: unknown = await answer.text().catch((reason: unknown) => reason);
      expect(networkErrorFrom(error, "Cannot list").kind).toBe("connection-reset");
    },
  );

  test("may end with trailers, and have no body", async () => {
    await using cluster = await open();
    expect(await (await cluster.get("/trailers")).text()).toBe("body");
    expect((await cluster.get("/nothing")).status).toBe(204);
    expect(await (await cluster.get("/zipped")).text()).toBe("zipped");
  });
});

describe.runIf(isOnNode)("a transport over HTTP/2", () => {
  test("uses a renewed certificate immediately, and keeps open watches", async () => {
    let name = "client";
    await using cluster = await open({
      tls: () => ({ ca, cert: pem(`${name}.crt`), key: pem(`${name}.key`) }),
    });
    const watch = await watchWith(cluster.get);
    expect(await (await cluster.get("/client")).text()).toBe("kubernetes-admin");
    name = "renewed";
    expect(await (await cluster.get("/client")).text()).toBe("renewed-admin");
    await cluster.server.send("second\n");
    expect(new TextDecoder().decode((await watch.read()).value)).toBe("second\n");
    await watch.cancel();
  });

  test("reaches the server through a proxy", async () => {
    await using proxy = await Http2Server.startProxy();
    await using cluster = await open({ proxy: proxy.url });
    expect(await (await cluster.get("/version")).text()).toBe("2.0");
    expect(proxy.connections).toBe(1);
  });

  test("refuses a server that it does not trust", async () => {
    await using cluster = await open({ tls: { ca: pem("other-ca.crt") } });
    const error: unknown = await cluster.get("/version").catch((reason: unknown) => reason);
    expect(networkErrorFrom(error, "Cannot list").kind).toBe("untrusted-certificate");
  });

  test("ends open bodies when it is closed, and refuses requests", async () => {
    await using cluster = await open();
    const watch = await watchWith(cluster.get);
    await cluster.transport[Symbol.asyncDispose]();
    await expect(watch.read()).rejects.toThrow("closed");
    await expect(cluster.get("/version")).rejects.toThrow("the transport is closed");
  });
});
