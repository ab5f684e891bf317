import { Collection, createClient, createConnection } from "@listwatch/client";
import { mutableCopy, type KubernetesObject } from "@listwatch/core-fifo";
import { beforeEach, describe, expect, test } from "vitest";

interface Probe extends KubernetesObject {
  spec: {
    startNanos: number | bigint;
    note?: string | null | undefined;
    at?: Date;
    ratio?: number;
    large?: number;
    list?: readonly (number | bigint | undefined)[];
  };
  self?: unknown;
}

const metadata =
  '{"name":"a","namespace":"default","uid":"u","resourceVersion":"1","creationTimestamp":null}';
const more = '"text":"a text that is long enough, so that the spec is lazy, :1732752000123456789,"';
const spec = `{"startNanos":1732752000123456789,${more}}`;
const type = '"apiVersion":"example.com/v1","kind":"Probe"';
const stored = `{${type},"metadata":${metadata},"spec":${spec}}`;
const list = `{"apiVersion":"example.com/v1","kind":"ProbeList","metadata":{},"items":[${stored}]}`;

let sent: string[] = [];

beforeEach(() => {
  sent = [];
});

const connection = createConnection({
  server: "http://cluster",
  fetch: async (request) => {
    if (request.method !== "GET") sent.push(await request.text());
    const { pathname, searchParams } = new URL(request.url);
    const headers = { "content-type": "application/json" };
    if (searchParams.has("watch")) {
      return new Response(`{"type":"ADDED","object":${stored}}\n`, { headers });
    }
    return new Response(pathname.endsWith("/probes") ? list : stored, { headers });
  },
});
const resource = {
  group: "example.com",
  version: "v1",
  resource: "probes",
  namespaced: true,
  kind: "Probe",
} as const;
const client = createClient(connection, { fieldManager: "test" });
const probes = client.in("default").resource<Probe>(resource);

const refusal = expect.objectContaining({
  code: "LW_INEXACT_NUMBER",
  message: expect.stringMatching(
    /^Cannot [A-Z]+ http:.*: expected exact numbers, got 1732752000123456800 at \S*startNanos, an/,
  ),
});

async function readWith(options: object): Promise<Probe> {
  const { signal } = new AbortController();
  const collection = new Collection<Probe>({ connection, resource, ...options });
  const { items } = await collection.list({}, { signal });
  for await (const [probe] of items) if (probe !== undefined) return probe;
  throw new Error("Expected an object, got none");
}

async function firstEvent(): Promise<Probe> {
  for await (const event of probes.watch()) if (event.type === "ADDED") return event.object;
  throw new Error("Expected an event, got none");
}

describe("an update with an integer that was read inexactly is refused", () => {
  test.each<[string, () => Promise<Probe>]>([
    ["of an object that was read", () => probes.get("a")],
    ["of a structured clone", async () => structuredClone(await probes.get("a"))],
    ["of a copy of some members", async () => ({ ...(await probes.get("a")), kind: "Probe" })],
    ["of an object of a list", async () => (await probes.list()).items[0] as Probe],
    ["of an object of a watch", firstEvent],
    ["of a lazy object", () => readWith({ lazy: true })],
    ["of a mutable copy of a cached object", async () => mutableCopy(await readWith({}))],
    ["of the answer to a write", () => probes.patch("a", { spec: { note: "x" } })],
  ])("%s", async (_, read) => {
    const probe = await read();
    sent = [];
    await expect(probes.update(probe as never)).rejects.toEqual(refusal);
    await expect(probes.updateStatus(probe as never)).rejects.toEqual(refusal);
    await expect(probes.subresource("scale").update("a", probe)).rejects.toEqual(refusal);
    expect(sent).toEqual([]);
  });
});

describe("a number that may be inexact is refused", () => {
  const value = Number(1_732_752_000_123_456_789n);

  test("in an object that is created, applied or sent by hand", async () => {
    const probe = { metadata: { name: "b" }, spec: { startNanos: value } };
    await expect(probes.create(probe)).rejects.toEqual(refusal);
    await expect(probes.apply(probe)).rejects.toEqual(refusal);
    const request = { method: "POST", path: "/probes", body: [probe] } as const;
    await expect(client.request(request)).rejects.toThrow("at 0.spec.startNanos, an integer");
    expect(sent).toEqual([]);
  });

  test("in a patch of any type", async () => {
    const patch = { spec: { startNanos: value } };
    await expect(probes.patch("a", patch)).rejects.toEqual(refusal);
    await expect(probes.patchStatus("a", patch)).rejects.toEqual(refusal);
    await expect(probes.patch("a", patch, { type: "strategic" })).rejects.toEqual(refusal);
    const operation = { op: "test", path: "/spec/startNanos", value } as const;
    await expect(probes.patch("a", [operation], { type: "json" })).rejects.toThrow("at 0.value");
    await expect(probes.scale("a", value)).rejects.toThrow("at spec.replicas");
    expect(sent).toEqual([]);
  });

  test("whatever its size, up to those that servers read as floating-point numbers", async () => {
    for (const startNanos of [2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 63), 1e18, 2 ** 64, 1e20]) {
      const patch = { spec: { startNanos } };
      await expect(probes.patch("a", patch)).rejects.toThrow(
        `got ${startNanos} at spec.startNanos`,
      );
    }
    const largest = Number.MAX_SAFE_INTEGER;
    for (const startNanos of [largest, -largest, 1e21, 1e300, 0.1, 1234567890123.25]) {
      await probes.patch("a", { spec: { startNanos } });
    }
    expect(sent).toHaveLength(6);
  });

  test("if it is not finite, which JSON would replace by null", async () => {
    for (const replicas of [Number.NaN, Infinity, JSON.parse("-1e400") as number]) {
      await expect(probes.scale("a", replicas)).rejects.toThrow(
        `got ${replicas} at spec.replicas, which JSON cannot represent`,
      );
    }
    expect(sent).toEqual([]);
  });
});

describe("a body is JSON", () => {
  test("with the digits of a BigInt, which may replace a number that was read", async () => {
    const probe = structuredClone(await probes.get("a"));
    const at = new Date(0);
    const numbers = [1, 2n ** 64n, undefined];
    probe.spec = { startNanos: 1_732_752_000_123_456_789n, note: undefined, at, list: numbers };
    await probes.update(probe);
    expect(sent).toEqual([
      `{"apiVersion":"example.com/v1","kind":"Probe","metadata":${metadata},"spec":` +
        '{"startNanos":1732752000123456789,"at":"1970-01-01T00:00:00.000Z",' +
        '"list":[1,18446744073709551616,null]}}',
    ]);
  });

  test("with null, and with digits in strings", async () => {
    const note = '[1732752000123456789,null] "é\u2028"';
    await probes.patch("a", { metadata: { labels: { [note]: null } }, spec: { note } });
    expect(JSON.parse(sent[0] ?? "")).toEqual({
      metadata: { labels: { [note]: null } },
      spec: { note },
    });
  });

  test("with primitives in objects, raw JSON and great depth as JSON.stringify writes them", async () => {
    const { rawJSON }: { rawJSON?: (text: string) => unknown } = Object(JSON);
    const raw = rawJSON?.("1732752000123456789") ?? null;
    // oxlint-disable-next-line unicorn/new-for-builtins -- they are the case
    const boxes = [new Number(1), new String("a"), new Boolean(true), null, raw];
    let deep: unknown = null;
    for (let depth = 0; depth < 2000; depth++) deep = { deep };
    for (const self of [boxes, deep]) {
      await probes.patch("a", { self });
      expect(sent.pop()).toBe(JSON.stringify({ self }));
    }
    await probes.patch("a", { self: [1n, ...boxes] });
    expect(sent.pop()).toBe(`{"self":[1,${JSON.stringify(boxes).slice(1)}}`);
    // oxlint-disable-next-line unicorn/new-for-builtins -- they are the case
    const rounded = { self: new Number(2 ** 60) };
    await expect(probes.patch("a", rounded)).rejects.toThrow("at self, an integer");
  });

  test("unless it is circular", async () => {
    const probe: Probe = { metadata: { name: "b" }, spec: { startNanos: 1n } };
    probe.self = probe;
    await expect(probes.create(probe)).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });
});
