import { inspect } from "node:util";
import { nodeTransport, type TransportOptions } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import { ListenerCount } from "../support/listener-count.ts";
import { pem, startTlsServers, type TlsServers } from "../support/tls-servers.ts";

let servers: TlsServers;
beforeAll(async () => {
  servers = await startTlsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

const ca = pem("ca.crt");
/** Messages of Node and Bun for an untrusted certificate; Deno has its message in the cause. */
const untrusted = /certificate|altnames|fetch failed/i;

interface Answer {
  readonly client?: string;
  readonly serverName?: string | false | null;
  readonly userAgent?: string;
  readonly encoding?: string;
  readonly groupLines: number;
}

type Fetch = (request: Request) => Promise<Response>;

async function ask<T = Answer>(transport: Fetch, url: string, init?: RequestInit): Promise<T> {
  const response = await transport(new Request(url, init));
  return (await response.json()) as T;
}

async function who(options: TransportOptions, url: string = servers.server): Promise<Answer> {
  await using transport = nodeTransport(options);
  // Awaited here, since the transport is closed on return.
  return await ask(transport, `${url}/who`);
}

async function countsOf(
  transport: Fetch,
): Promise<Record<"connections" | "proxied" | "floodBytes", number>> {
  return ask(transport, `${servers.server}/counts`);
}

describe("TLS", () => {
  test("trusts a given authority, alone or in a bundle (TLS-1)", async () => {
    expect((await who({ tls: { ca } })).groupLines).toBe(0);
    expect((await who({ tls: { ca: pem("other-ca.crt") + ca } })).groupLines).toBe(0);
  });

  test("trusts no other authority than the given one (TLS-2)", async () => {
    await expect(who({ tls: { ca: pem("other-ca.crt") } })).rejects.toThrow(untrusted);
    await expect(who({})).rejects.toThrow(untrusted);
  });

  test("sends a client certificate, also with an encrypted key (TLS-1)", async () => {
    const cert = pem("client.crt");
    const plain = await who({ tls: { ca, cert, key: pem("client.key") } });
    const key = pem("client.encrypted.key");
    const encrypted = await who({ tls: { ca, cert, key, passphrase: "secret" } });
    expect([plain.client, encrypted.client]).toEqual(["kubernetes-admin", "kubernetes-admin"]);
  });

  test("rejects a certificate for another name, unless that name is expected (TLS-1)", async () => {
    await expect(who({ tls: { ca } }, servers.named)).rejects.toThrow(untrusted);
    const { serverName } = await who({ tls: { ca, serverName: "kubernetes.test" } }, servers.named);
    expect(serverName).toBe("kubernetes.test");
  });

  test("accepts any certificate on request, which Deno's own client cannot do (TLS-1, TLS-3)", async () => {
    expect((await who({ tls: { insecureSkipVerify: true } }, servers.named)).groupLines).toBe(0);
  });

  test("uses a renewed certificate immediately, and keeps open bodies (TLS-5)", async () => {
    let name = "client";
    await using transport = nodeTransport({
      tls: () => ({ ca, cert: pem(`${name}.crt`), key: pem(`${name}.key`) }),
    });
    const watch = await transport(new Request(`${servers.server}/quiet?ms=200`));
    expect((await ask(transport, `${servers.server}/who`)).client).toBe("kubernetes-admin");
    name = "renewed";
    expect((await ask(transport, `${servers.server}/who`)).client).toBe("renewed-admin");
    expect(await watch.text()).toBe("first\nlast\n");
  });

  test("rejects a certificate without its key, and the reverse", () => {
    expect(() => nodeTransport({ tls: { cert: "x" } })).toThrow("tls.key");
  });
});

describe("many requests", () => {
  test("use one connection for 100 in a row (TLS-4)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const before = await countsOf(transport);
    for (let index = 0; index < 100; index++) await ask(transport, `${servers.server}/who`);
    expect((await countsOf(transport)).connections - before.connections).toBeLessThanOrEqual(1);
  });

  test("are answered while 300 watches are open, none of which ends before (TLS-4)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const open = Array.from({ length: 300 }, () =>
      transport(new Request(`${servers.server}/watch`)),
    );
    const watches = await Promise.all(open);
    const answer = await ask<{ open: number }>(transport, `${servers.server}/counts`);
    expect(answer.open).toBeGreaterThanOrEqual(300);
    for (const { body } of watches) await body?.cancel();
  });
});

describe("an abort", () => {
  test("rejects with its reason before the answer and within the body (TLS-7)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const early = new AbortController();
    const { signal } = early;
    const waiting = transport(new Request(`${servers.server}/quiet?ms=1000`, { signal }));
    early.abort(new Error("early"));
    await expect(waiting).rejects.toThrow("early");

    const late = new AbortController();
    const watch = await transport(new Request(`${servers.server}/watch`, { signal: late.signal }));
    const reader = watch.body?.getReader();
    await reader?.read();
    late.abort(new Error("late"));
    await expect(reader?.read()).rejects.toThrow("late");
  });

  // `insecureSkipVerify` rules out Deno's own client, so that every runtime uses its `node:https`.
  test("leaves no listener of 10,000 requests on one signal (TLS-7)", async () => {
    await using transport = nodeTransport({ tls: { insecureSkipVerify: true } });
    const { signal } = new AbortController();
    const listeners = new ListenerCount(signal);
    const send = async (): Promise<void> => {
      const request = new Request(`${servers.server}/counts`);
      // A request normally has a dependent signal. Here it has the given one.
      Object.defineProperty(request, "signal", { value: signal });
      const response = await transport(request);
      await response.text();
    };
    for (let batch = 0; batch < 200; batch++) {
      await Promise.all(Array.from({ length: 50 }, send));
    }
    await using other = nodeTransport({ tls: { ca } });
    // Every socket has closed once a later answer has arrived.
    await countsOf(other);
    expect(listeners.added).toBeGreaterThanOrEqual(10_000);
    expect(listeners.leaks).toEqual([]);
  });
});

describe("bodies", () => {
  test("are received only as far as they are read (TLS-8)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const { body } = await transport(new Request(`${servers.server}/flood`));
    let last = -1;
    for (;;) {
      const { floodBytes } = await countsOf(transport);
      if (floodBytes === last) break;
      last = floodBytes;
    }
    expect(last).toBeLessThan(50e6);
    await body?.cancel();
  });

  test("never seem complete when they were cut (TLS-1)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const response = await transport(new Request(`${servers.server}/short`));
    await expect(response.text()).rejects.toThrow(/aborted|reading a body|closed/);
  });

  test("that are silent outlive the timeout of idle connections (TLS-14)", async () => {
    await using transport = nodeTransport({ tls: { ca }, idleMs: 50 });
    const response = await transport(new Request(`${servers.server}/quiet?ms=300`));
    expect(await response.text()).toBe("first\nlast\n");
  });

  test("of requests arrive complete (TLS-1)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const init = { method: "POST", body: "é".repeat(100_000) };
    expect(await ask(transport, `${servers.server}/echo`, init)).toEqual({
      length: 200_000,
      method: "POST",
    });
  });
});

describe("a request", () => {
  test("follows no redirect (TLS-6)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const response = await transport(
      new Request(`${servers.server}/redirect`, { redirect: "manual" }),
    );
    expect([response.status, response.headers.get("location")]).toEqual([302, "/who"]);
    await response.body?.cancel();
  });

  test("names program, library and runtime, and asks for compression (TLS-13)", async () => {
    const { userAgent, encoding } = await who({ tls: { ca }, program: "shop/1.2.0" });
    expect(userAgent).toMatch(/^shop\/1\.2\.0 listwatch\/\d+\.\d+\.\d+ \((Node|Deno|Bun)/);
    expect(encoding).toContain("gzip");
  });

  test("does not request compression when it is disabled (KCF-2)", async () => {
    const { encoding = "identity" } = await who({ tls: { ca }, compression: false });
    expect(encoding).toBe("identity");
  });

  test("sends each impersonated group as a separate header line (KCF-2)", async () => {
    await using transport = nodeTransport({ tls: { ca } });
    const headers = new Headers();
    for (const group of ["a", "b"]) headers.append("impersonate-group", group);
    expect((await ask(transport, `${servers.server}/who`, { headers })).groupLines).toBe(2);
  });

  test.each([
    ["a given authority", { ca }],
    ["none, which Deno's own client cannot do", { insecureSkipVerify: true }],
  ])("that reads is sent again when a used connection breaks, with %s (TLS-11)", async (_, tls) => {
    await using transport = nodeTransport({ tls });
    const url = `${servers.server}/stale`;
    expect(await ask(transport, url)).toEqual({ nth: 1 });
    expect(await ask(transport, url)).toEqual({ nth: 1 });
  });

  test.each([
    ["a given authority", { ca }],
    ["none, which Deno's own client cannot do", { insecureSkipVerify: true }],
  ])("that writes is never sent twice, with %s (TLS-11)", async (_, tls) => {
    await using transport = nodeTransport({ tls });
    const url = `${servers.server}/stale`;
    const before = await ask<{ posts: number }>(transport, `${servers.server}/counts`);
    for (let index = 0; index < 3; index++) {
      await ask(transport, url, { method: "POST", body: "x" }).catch(() => "refused");
    }
    const after = await ask<{ posts: number }>(transport, `${servers.server}/counts`);
    expect(after.posts - before.posts).toBe(3);
  });

  test("goes through a configured proxy (TLS-9)", async () => {
    await using direct = nodeTransport({ tls: { ca } });
    const before = await countsOf(direct);
    expect((await who({ tls: { ca }, proxy: servers.proxy })).groupLines).toBe(0);
    expect((await countsOf(direct)).proxied).toBe(before.proxied + 1);
  });

  test("follows the option, whatever proxy the environment names (TLS-9)", async () => {
    await using direct = nodeTransport({ tls: { ca } });
    const { proxied } = await countsOf(direct);
    const before = { ...process.env };
    Object.assign(process.env, { HTTPS_PROXY: "http://127.0.0.1:1" });
    try {
      expect((await who({ tls: { ca }, proxy: null })).groupLines).toBe(0);
      // No proxy is used for localhost.
      expect((await who({ tls: { ca } })).groupLines).toBe(0);
      Object.assign(process.env, { NO_PROXY: "127.0.0.1" });
      expect((await who({ tls: { ca }, proxy: servers.proxy })).groupLines).toBe(0);
    } finally {
      for (const name of ["HTTPS_PROXY", "NO_PROXY"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
    expect((await countsOf(direct)).proxied).toBe(proxied + 1);
  });

  test("goes to a Unix socket (TLS-10)", async () => {
    await using transport = nodeTransport({ socketPath: servers.socketPath });
    expect(await ask(transport, "http://localhost/echo", { method: "POST", body: "abc" })).toEqual({
      length: 3,
      method: "POST",
    });
  });

  test("is rejected once the transport is closed", async () => {
    const transport = nodeTransport({ tls: { ca } });
    await transport[Symbol.asyncDispose]();
    await expect(ask(transport, `${servers.server}/who`)).rejects.toThrow(
      "the transport is closed",
    );
  });
});

test("an unusable proxy is rejected immediately, without showing its password (TLS-9)", () => {
  expect(() => nodeTransport({ proxy: "ftp://me:hunter2hunter2@proxy" })).toThrow(/proxy/);
  expect(() => nodeTransport({ proxy: "ftp://me:hunter2hunter2@proxy" })).not.toThrow(/hunter2/);
});

test.each([
  "http://me:hunter2hunter2",
  "http://me:hunter2hunter2@bad host",
  "http://a:hunter2hunter2/@b",
])(
  "an unusable proxy of the environment fails the request, without showing its password",
  async (proxy) => {
    const before = process.env["HTTP_PROXY"];
    process.env["HTTP_PROXY"] = proxy;
    try {
      await using transport = nodeTransport();
      const failure = await failureOf(transport(new Request("http://192.0.2.1/")));
      expect(inspect(failure, { depth: Infinity })).not.toMatch(/hunter2/);
      expect(failure).toMatchObject({ code: "LW_INVALID_OPTIONS", option: "proxy" });
    } finally {
      if (before === undefined) delete process.env["HTTP_PROXY"];
      else process.env["HTTP_PROXY"] = before;
    }
  },
);
