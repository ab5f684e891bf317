// Not in Chromium, which has no `inspect`.
import {
  Collection,
  createClient,
  createConnection,
  type Connection,
  type ConnectionConfig,
} from "@listwatch/client";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";
import { growth, mostOfLinear } from "../support/growth.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const signal = new AbortController().signal;
const secret = "s3cr3t-0123456789abcdef";

/** Returns everything that a log or a debugger could show of a value. */
function everythingIn(value: unknown): string {
  const stack = value instanceof Error ? value.stack : "";
  return [
    inspect(value, { depth: Infinity, showHidden: true }),
    String(value),
    stack,
    JSON.stringify(value),
  ].join("\n");
}

function thrownBy(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    return error;
  }
  throw new Error("Expected an error, got none");
}

/** Returns the failure of every way to send a request, and the objects left to inspect. */
async function failuresOf(connection: Connection): Promise<unknown[]> {
  const pods = createClient(connection, { retries: 0 }).resource(resource);
  const collection = new Collection({ connection, resource });
  const failures: unknown[] = [collection, pods];
  for (const call of [
    () => pods.get("a/b"),
    () => pods.create({ metadata: { name: "b" } }),
    async () => {
      for await (const batch of (await collection.list({}, { signal })).items) void batch;
    },
    async () => {
      for await (const batch of await collection.watch({}, { signal })) void batch;
    },
  ]) {
    failures.push(await failureOf(call()));
  }
  return failures;
}

async function seenOf(
  answer: (request: Request) => Response | Promise<Response>,
  config: Partial<ConnectionConfig>,
): Promise<string> {
  const { connection } = answering(answer, config);
  return [connection, ...(await failuresOf(connection))].map(everythingIn).join("\n");
}

describe("an address with user information is rejected without showing it", () => {
  test.each([
    `https://user:${secret}@host`,
    `https://${secret}@host:6443/path`,
    `HTTPS://user:${secret}@host`,
    `https:user:${secret}@host`,
    `https:/user:${secret}@host`,
    `https:////user:${secret}@host`,
    `https:\\\\user:${secret}@host`,
    `https:/\\user:${secret}@host`,
    ` https://user:${secret}@host `,
    `ht\ttp\ns://us\ner:${secret}\t@host`,
    `https://user:a b ${secret}@host`,
    `https://user:a@b@${secret}@host`,
    `https://us"er:${secret}'@host`,
    `https://user:${secret}@ho st`,
    `https://user:${secret}@host:port`,
    `https://user:a/${secret}@host`,
    `https://user:${secret}＠host`,
    `user:${secret}@host`,
    `//user:${secret}@host`,
    `socks5://user:${secret}@host`,
    `https://host?token=${secret}`,
    `https://host/#${secret}`,
    `https://user:${secret}`,
    new URL(`https://user:${secret}@host`),
    { href: `https://user:${secret}@host` },
    [`https://user:${secret}@host`],
  ])("%j", (server) => {
    const config = { server: server as string, fetch: () => Promise.reject(new Error("unused")) };
    const connection = { ...config, namespace: undefined };
    for (const make of [
      () => createConnection(config),
      () => createClient(connection),
      () => new Collection({ connection, resource }),
    ]) {
      const error = thrownBy(make);
      expect(error).toMatchObject({ code: "LW_INVALID_OPTIONS", option: "server" });
      expect(everythingIn(error)).not.toContain(secret);
    }
  });
});

describe("headers that cannot be sent are rejected without showing them", () => {
  test.each([
    { authorization: `Bearer ${secret}\nx` },
    { authorization: `Bearer a\r\n${secret}` },
    { authorization: `Bearer ${secret}\u0000` },
    { authorization: `Bearer ${secret}…` },
    { [`Bearer ${secret}`]: "authorization" },
    { authorization: [`Bearer ${secret}`, "x"] },
    { authorization: { token: secret } },
    { authorization: undefined, other: secret },
    [["authorization", `Bearer ${secret}\nx`]],
    [["authorization", secret, secret]],
    [`Bearer ${secret}`],
    `Bearer ${secret}`,
  ])("%j", async (given) => {
    const headers = given as ConnectionConfig["headers"];
    const error = thrownBy(() => createConnection({ server: "http://server", headers }));
    expect(error).toMatchObject({ code: "LW_INVALID_OPTIONS", option: "headers" });
    expect(everythingIn(error)).not.toContain(secret);
    const source = (() => Promise.resolve(given)) as unknown as ConnectionConfig["headers"];
    const { connection } = answering(() => Response.json({}), { headers: source });
    for (const failure of (await failuresOf(connection)).slice(2)) {
      expect(failure).toMatchObject({ code: "LW_CREDENTIALS" });
      expect(everythingIn(failure)).not.toContain(secret);
    }
  });
});

describe("the value of a header appears nowhere", () => {
  const headers = { authorization: `Bearer ${secret}`, "x-api-key": secret, cookie: `a=${secret}` };
  const sources: readonly (readonly [string, ConnectionConfig["headers"]])[] = [
    ["given once", headers],
    ["given by a function", () => headers],
    ["given after a 401", ({ refresh }) => (refresh ? headers : { authorization: "Bearer old" })],
  ];

  /** Refuses the old token, so that renewed credentials are used. */
  function guarded(answer: (request: Request) => Response | Promise<Response>) {
    return (request: Request) =>
      request.headers.get("authorization") === "Bearer old"
        ? new Response(null, { status: 401 })
        : answer(request);
  }

  function echo(request: Request): string {
    return [...request.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  }

  describe.each(sources)("%s,", (_, source) => {
    test.each([
      ["a page", (request: Request) => new Response(echo(request))],
      ["an error page", (request: Request) => new Response(echo(request), { status: 502 })],
      ["JSON", (request: Request) => Response.json({ echo: echo(request) }, { status: 400 })],
      [
        "a Status",
        (request: Request) =>
          Response.json(
            {
              kind: "Status",
              code: 400,
              message: echo(request),
              details: { name: echo(request), causes: [{ message: echo(request) }] },
            },
            { status: 400 },
          ),
      ],
      ["cut JSON", (request: Request) => new Response(`{"kind":"${echo(request)}`)],
      [
        "what is at the cut of a message",
        (request: Request) => new Response("x".repeat(60) + echo(request)),
      ],
    ])("when the server echoes it as %s", async (__, answer) => {
      expect(await seenOf(guarded(answer), { headers: source })).not.toContain(secret);
    });

    test.each([
      ["message", (text: string) => new TypeError(`Cannot send ${text}`)],
      ["cause", (text: string) => new TypeError("no", { cause: new Error(text) })],
      ["member", (text: string) => Object.assign(new TypeError("no"), { request: { a: [text] } })],
      ["errors", (text: string) => new AggregateError([new Error(text)], "all failed")],
      ["text", (text: string) => text],
    ])("when the transport has it in the %s of an error", async (__, make) => {
      const fail = guarded((request) => Promise.reject(make(echo(request))));
      expect(await seenOf(fail, { headers: source })).not.toContain(secret);
    });

    test("when the transport's error has the request", async () => {
      const fail = guarded((request) =>
        Promise.reject(Object.assign(new TypeError("no"), { request })),
      );
      expect(await seenOf(fail, { headers: source })).not.toContain(secret);
    });

    test("when an interrupted body contains it", async () => {
      const answer = guarded(
        (request) =>
          new Response(
            new ReadableStream({ pull: (body) => body.error(new TypeError(echo(request))) }),
          ),
      );
      expect(await seenOf(answer, { headers: source })).not.toContain(secret);
    });
  });

  test("also when the renewal fails and its error has the old credentials", async () => {
    const source = ({ refresh }: { readonly refresh: boolean }) => {
      if (refresh) throw new Error(`Bearer ${secret} was refused`);
      return { authorization: `Bearer ${secret}` };
    };
    expect(
      await seenOf(() => new Response(null, { status: 401 }), { headers: source }),
    ).not.toContain(secret);
  });

  test("also in the encodings of Basic", async () => {
    const value = `Basic ${btoa(`user:${secret}`)}`;
    const answer = () => new Response(`user:${secret} is wrong`, { status: 403 });
    expect(await seenOf(answer, { headers: { authorization: value } })).not.toContain(secret);
  });
});

test.each([
  `http://user:${secret}@proxy:3128`,
  `https:user:${secret}@proxy`,
  `https:\\\\user:${secret}@proxy/path`,
  `//user:${secret}@proxy`,
  `socks5://user:${secret}@proxy`,
  `http://us er:"${secret}"@proxy`,
])("user information of a proxy at %s stays out of errors", async (address) => {
  expect(
    await seenOf(() => Promise.reject(new TypeError(`Cannot reach ${address}: refused`)), {}),
  ).not.toContain(secret);
  const fail = () => Promise.reject(Object.assign(new Error("no"), { options: { address } }));
  expect(await seenOf(fail, {})).not.toContain(secret);
});

test("a short value is not hidden within words, nor in machine-readable members", async () => {
  const message = "Too large resource version, from source; sources";
  const status = { kind: "Status", code: 504, reason: "Timeout", message };
  const { connection } = answering(() => Response.json(status, { status: 504 }), {
    headers: { "x-by": "source", "x-because": "Timeout" },
  });
  const error = await failureOf(
    createClient(connection, { retries: 0 }).resource(resource).get("a/b"),
  );
  expect(error).toMatchObject({
    reason: "Timeout",
    message: "Too large resource version, from …; sources",
  });
});

test("an error that is its own cause is searched once", async () => {
  const error = new TypeError(secret);
  error.cause = error;
  const fail = () => Promise.reject(error);
  expect(await seenOf(fail, { headers: { "x-a": secret } })).not.toContain(secret);
});

test("an error without a secret is passed on unchanged", async () => {
  const cause = Object.assign(new TypeError("fetch failed"), { code: "ECONNREFUSED" });
  const { connection } = answering(() => Promise.reject(cause), { headers: { "x-a": secret } });
  const error = await failureOf(
    createClient(connection, { retries: 0 }).resource(resource).get("a/b"),
  );
  expect(error).toMatchObject({ code: "LW_NETWORK", kind: "connection-refused" });
  expect((error as Error).cause).toBe(cause);
});

test("hiding a value keeps class, code and the rest of the message", async () => {
  const answer = () => new Response(`Hello ${secret}!`, { status: 502 });
  const { connection } = answering(answer, { headers: { "x-a": secret } });
  const error = await failureOf(
    createClient(connection, { retries: 0 }).resource(resource).get("a/b"),
  );
  expect(String(error)).toContain('answered 502 with "Hello …!"');
  const reset = Object.assign(new Error(`x-a: ${secret}`), { code: "ECONNRESET" });
  const broken = answering(() => Promise.reject(reset), { headers: { "x-a": secret } });
  const failure = await failureOf(
    createClient(broken.connection, { retries: 0 }).resource(resource).get("a/b"),
  );
  expect(failure).toMatchObject({ code: "LW_NETWORK", kind: "connection-reset" });
});

describe("the search for secrets takes linear time, whatever a server sends", () => {
  test.each<[string, (size: number) => string]>([
    ["slashes", (size) => `@${"/".repeat(size)}`],
    ["starts of addresses", (size) => `${"//a".repeat(size / 3)}@`],
    ["pieces of a token", (size) => secret.slice(0, 9).repeat(size / 9)],
    ["line breaks", (size) => `@http${"\n".repeat(size)}`],
  ])("in %s", async (_, textOf) => {
    const long = `${secret}${"0123456789abcdef".repeat(200)}`;
    const ratio = await growth(4096, (size) => {
      const text = textOf(size);
      const { connection } = answering(() => new Response(text, { status: 400 }), {
        headers: { authorization: `Bearer ${long}` },
      });
      const client = createClient(connection, { retries: 0 }).resource(resource);
      return async () => {
        expect(await failureOf(client.get("a/b"))).toMatchObject({ code: "LW_STATUS" });
      };
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });

  test("in a very deep Status", async () => {
    const depth = 9000;
    const details = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const text = `{"kind":"Status","apiVersion":"v1","code":409,"details":${details}}`;
    const { connection } = answering(() => new Response(text, { status: 409 }));
    const error = await failureOf(
      createClient(connection, { retries: 0 }).resource(resource).get("a/b"),
    );
    expect(error).toMatchObject({ code: "LW_STATUS", httpCode: 409 });
  });
});
