import { InvalidOptionsError, type KubernetesObject } from "@listwatch/core-fifo";
import {
  Collection,
  createConnection,
  DecodeError,
  NetworkError,
  type CollectionOptions,
  type Connection,
  type ConnectionConfig,
  type ResourceReference,
  type WatchEvent,
} from "@listwatch/client";
import { describe, expect, expectTypeOf, test } from "vitest";
import { streamOf } from "../support/bytes.ts";

const pods = { group: "", version: "v1", resource: "pods" };
const signal = new AbortController().signal;

/** A collection whose requests are answered by a function and recorded. */
function answering(
  answer: (request: Request) => Response | Promise<Response>,
  {
    server = "http://server",
    headers,
    ...options
  }: Partial<CollectionOptions & Pick<ConnectionConfig, "headers" | "server">> = {},
): {
  readonly connection: Connection;
  readonly source: Collection;
  readonly requests: Request[];
} {
  const requests: Request[] = [];
  const connection = createConnection({
    server,
    headers,
    fetch: async (request) => {
      requests.push(request);
      return answer(request);
    },
  });
  const source = new Collection({ connection, resource: pods, ...options });
  return { connection, source, requests };
}

const emptyList = (): Response => Response.json({ kind: "PodList", apiVersion: "v1", items: [] });
const none = (): Response => new Response("");

async function itemsOf(source: Collection): Promise<KubernetesObject[]> {
  const { items } = await source.list({}, { signal });
  const all: KubernetesObject[] = [];
  for await (const batch of items) all.push(...batch);
  return all;
}

async function eventsOf(source: Collection): Promise<WatchEvent<KubernetesObject>[]> {
  const events: WatchEvent<KubernetesObject>[] = [];
  for await (const batch of await source.watch({}, { signal })) {
    events.push(...batch);
  }
  return events;
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each([
  "localhost:8001",
  "http://",
  "ftp://h",
  "http://h/?a=b",
  "http://h?",
  "http://h/#a",
  "http://user:secret@h",
])("rejects a server that no request could reach: %s", (server) => {
  const create = () => createConnection({ server });
  expect(create).toThrow(InvalidOptionsError);
  expect(create).toThrow(/^Cannot use the option server: .*, got the string/);
  expect(create).not.toThrow("secret");
});

test.each(["", "/proxy/"])(
  "accepts a relative server %j only where a base URL exists",
  (server) => {
    let isTaken = true;
    try {
      createConnection({ server });
    } catch {
      isTaken = false;
    }
    expect(isTaken).toBe(Reflect.get(globalThis, "location") !== undefined);
  },
);

describe("the requests of a collection", () => {
  test.each([
    ["a core resource", {}, "http://server/api/v1/pods"],
    [
      "one namespace",
      { namespace: "kube-system" },
      "http://server/api/v1/namespaces/kube-system/pods",
    ],
    [
      "a group",
      { resource: { group: "apps", version: "v1", resource: "deployments" } },
      "http://server/apis/apps/v1/deployments",
    ],
    [
      "a server behind a path",
      { server: "http://proxy/k8s/c-1/" },
      "http://proxy/k8s/c-1/api/v1/pods",
    ],
  ])("go to the URL of %s", async (_, options, url) => {
    const { source, requests } = answering(emptyList, options);
    await source.list({}, { signal });
    expect(requests.map((request) => request.url)).toEqual([url]);
  });

  test("carry the options and selectors, and nothing empty", async () => {
    const { source, requests } = answering(none, {
      labelSelector: "app in (a,b)",
      fieldSelector: "spec.nodeName=n",
      shardSelector: "",
    });
    await source.watch(
      {
        resourceVersion: "",
        allowWatchBookmarks: true,
        sendInitialEvents: true,
        timeoutSeconds: 300,
      },
      { signal },
    );
    expect(Object.fromEntries(new URL(requests[0]?.url ?? "").searchParams)).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      sendInitialEvents: "true",
      timeoutSeconds: "300",
      labelSelector: "app in (a,b)",
      fieldSelector: "spec.nodeName=n",
    });
  });

  test("call a headers function each time", async () => {
    let calls = 0;
    const { source, requests } = answering(emptyList, {
      headers: async () => ({ authorization: `Bearer ${++calls}` }),
    });
    await source.list({}, { signal });
    await source.list({ resourceVersion: "0" }, { signal });
    expect(requests.map((request) => request.headers.get("authorization"))).toEqual([
      "Bearer 1",
      "Bearer 2",
    ]);
    expect(requests[1]?.url).toBe("http://server/api/v1/pods?resourceVersion=0");
  });

  test("are repeated once after a 401, with renewed credentials", async () => {
    const renewed: boolean[] = [];
    const { source, requests } = answering(
      ({ headers }) =>
        headers.get("authorization") === "new" ? emptyList() : new Response("", { status: 401 }),
      {
        headers: ({ refresh }) => {
          renewed.push(refresh);
          return { authorization: refresh ? "new" : "old" };
        },
      },
    );
    await source.list({}, { signal });
    expect(renewed).toEqual([false, true]);
    expect(requests).toHaveLength(2);
  });

  test("fail with the second 401, and report that credentials were renewed (AUTH-1)", async () => {
    const status = { kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" };
    const { source, requests } = answering(() => Response.json(status, { status: 401 }), {
      headers: ({ refresh }) => ({ authorization: refresh ? "new" : "old" }),
    });
    const failure = await failureOf(source.list({}, { signal }));
    expect(failure).toMatchObject({
      httpCode: 401,
      reason: "Unauthorized",
      message: "Unauthorized (the credentials were renewed after a first 401)",
      status: { message: "Unauthorized" },
    });
    expect(requests).toHaveLength(2);
  });

  test("fail with the second 401, and claim no renewal if the same was sent (AUTH-1)", async () => {
    const status = { kind: "Status", code: 401, reason: "Unauthorized", message: "Unauthorized" };
    const { source, requests } = answering(() => Response.json(status, { status: 401 }), {
      headers: () => ({ authorization: "same" }),
    });
    const failure = await failureOf(source.list({}, { signal }));
    expect(failure).toMatchObject({ httpCode: 401, message: "Unauthorized" });
    expect(requests).toHaveLength(2);
  });

  test("are not repeated after a 401 with fixed headers (AUTH-1)", async () => {
    const { source, requests } = answering(() => new Response("", { status: 401 }), {
      headers: {},
    });
    const failure = await failureOf(source.list({}, { signal }));
    expect(failure).toMatchObject({ httpCode: 401, reason: "Unauthorized" });
    expect(String(failure)).not.toContain("renewed");
    expect(requests).toHaveLength(1);
  });

  test("request only metadata, in lists and in watches", async () => {
    const { source, requests } = answering(emptyList, { metadataOnly: true });
    await source.list({}, { signal });
    await source.watch({}, { signal });
    expect(requests.map((request) => request.headers.get("accept"))).toEqual([
      "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    ]);
  });

  test("are not sent when the signal is already aborted", async () => {
    const { source, requests } = answering(emptyList);
    const reason = new Error("stopped before");
    const promise = source.list({}, { signal: AbortSignal.abort(reason) });
    expect(await failureOf(promise)).toBe(reason);
    expect(requests).toEqual([]);
  });
});

describe("a list over HTTP", () => {
  test("fails when a proxy answers in its place", async () => {
    const { source } = answering(() => new Response("<html>Please log in"));
    expect(await failureOf(itemsOf(source))).toBeInstanceOf(DecodeError);
  });

  test("yields the items of all chunks", async () => {
    const { source } = answering(
      () =>
        new Response(
          streamOf('{"kind":"PodList","apiVersion":"v1","items":[{"a":1},', '{"b":2}]}'),
        ),
    );
    expect(await itemsOf(source)).toEqual([
      { kind: "Pod", apiVersion: "v1", a: 1 },
      { kind: "Pod", apiVersion: "v1", b: 2 },
    ]);
  });

  test("that is cut short fails like a broken connection", async () => {
    const { source } = answering(() => new Response(streamOf('{"kind":"PodList","items":[{}')));
    expect(await failureOf(itemsOf(source))).toMatchObject({
      code: "LW_NETWORK",
      kind: "unexpected-eof",
    });
  });

  test("yields lazy objects, or plain ones of the same type on request (LAZY-15)", async () => {
    const spec = {
      nodeName: "n",
      note: "more than sixty-four bytes of text, so that it can be lazy",
    };
    const item = { metadata: { name: "a" }, spec };
    const answer = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [item] };
    const { connection } = answering(() => Response.json(answer));
    const resource: ResourceReference<typeof item> = pods;
    const read = async (lazy?: boolean): Promise<(typeof item)[]> => {
      const collection = new Collection({ connection, resource, lazy });
      expectTypeOf(collection).toEqualTypeOf<Collection<typeof item>>();
      const { items } = await collection.list({}, { signal });
      const all: (typeof item)[] = [];
      for await (const batch of items) all.push(...batch);
      return all;
    };
    for (const lazy of [undefined, false, true]) {
      const [object] = await read(lazy);
      const isPlain = Object.hasOwn(Object.getOwnPropertyDescriptor(object, "spec") ?? {}, "value");
      expect(isPlain).toBe(lazy === false);
      expect(object).toMatchObject(item);
    }
  });

  test("yields to the event loop every 8 ms, although the body is available at once", async () => {
    const item = { metadata: { name: "x" }, data: "y".repeat(2000) };
    const body = JSON.stringify({
      kind: "PodList",
      items: Array.from({ length: 500 }, () => item),
    });
    let nowMs = 0;
    let turns = 0;
    const { source } = answering(() => new Response(body), {
      clock: {
        // Each read of the clock advances it by 3 ms.
        now: () => (nowMs += 3),
        setTimeout: () => ({ cancel: () => undefined }),
        nextTurn: async () => {
          turns++;
        },
      },
    });
    expect(await itemsOf(source)).toHaveLength(500);
    // 1 MB in pieces of 64 KB. Three reads of the clock take 9 ms.
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("that is left early cancels its body", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        controller.enqueue(new TextEncoder().encode('{"kind":"PodList","items":[{},{}')),
      cancel: () => {
        cancelled = true;
      },
    });
    const { source } = answering(() => new Response(body));
    const { items } = await source.list({}, { signal });
    if (Symbol.asyncIterator in items) for await (const batch of items) if (batch.length > 0) break;
    expect(cancelled).toBe(true);
  });
});

describe("a watch over HTTP", () => {
  const line = (name: string): string =>
    `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;

  test("yields the events before a bad line, and then fails (RST-2)", async () => {
    const { source } = answering(() => new Response(streamOf(line("a") + line("b"), "oops\n")));
    const seen: unknown[] = [];
    const failure = await failureOf(
      (async () => {
        for await (const batch of await source.watch({}, { signal })) seen.push(batch);
      })(),
    );
    expect(failure).toBeInstanceOf(DecodeError);
    expect(seen.flat()).toHaveLength(2);
  });

  test("ends when the server ends it, dropping half a line (RST-2)", async () => {
    const { source } = answering(() => new Response(streamOf(line("a"), line("b").slice(0, 20))));
    expect(await eventsOf(source)).toHaveLength(1);
  });

  test("yields an empty batch when only bytes arrive", async () => {
    const [start = "", end = ""] = line("a").split("name");
    const { source } = answering(() => new Response(streamOf(start, `name${end}`)));
    const sizes: number[] = [];
    for await (const batch of await source.watch({}, { signal })) {
      sizes.push("type" in batch ? 1 : batch.length);
    }
    expect(sizes).toEqual([0, 1]);
  });

  test.each(["before the iteration", "during a read"])(
    "ends when it is aborted %s",
    async (when) => {
      let cancelled = false;
      const controller = new AbortController();
      const body = new ReadableStream<Uint8Array>({
        cancel: () => {
          cancelled = true;
        },
      });
      const { source } = answering(() => new Response(body));
      const reason = new Error("enough");
      const watch = await source.watch({}, { signal: controller.signal });
      if (when === "before the iteration") controller.abort(reason);
      const next = watch[Symbol.asyncIterator]().next();
      if (when === "during a read") controller.abort(reason);
      expect(await failureOf(next)).toBe(reason);
      expect(cancelled).toBe(true);
    },
  );

  test("can be left before it is read, and twice: its body is cancelled once (RST-6)", async () => {
    let cancellations = 0;
    const body = new ReadableStream<Uint8Array>({ cancel: () => void cancellations++ });
    const { source } = answering(() => new Response(body));
    const iterator = (await source.watch({}, { signal }))[Symbol.asyncIterator]();
    expect(cancellations).toBe(0);
    for (let count = 0; count < 2; count++) {
      expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    }
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(cancellations).toBe(1);
  });

  test("that breaks fails with a network error", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    const { source } = answering(() => new Response(body));
    expect(await failureOf(eventsOf(source))).toBeInstanceOf(NetworkError);
  });
});
