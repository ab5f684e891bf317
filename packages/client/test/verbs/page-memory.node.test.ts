import { Collection, createConnection, type CollectionOptions } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { collectGarbage } from "../support/collect-garbage.ts";

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

// Only Node lets tests collect garbage.
const isNode = !("Deno" in globalThis || "Bun" in globalThis);
const resource = { group: "", version: "v1", resource: "configmaps" };
const items = 2000;
const keptEach = 100;
const value = "0123456789".repeat(200);

const api = new FakeApiServer({
  objects: Array.from({ length: items }, (_, index) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `map-${1000 + index}`, labels: { number: `n${index}` } },
    data: { small: `s${index}`, large: `${index} ${value}` },
  })),
});

const pages = new Map<string, { readonly page: Uint8Array; readonly contentType: string }>();

/** Answers each request with the server's page, in separate memory. */
async function answer(request: Request): Promise<Response> {
  const accepted = request.headers.get("accept") ?? "";
  let answered = pages.get(accepted);
  if (answered === undefined) {
    const response = await api.fetch(request);
    const contentType = response.headers.get("content-type") ?? "";
    answered = { page: new Uint8Array(await response.arrayBuffer()), contentType };
    pages.set(accepted, answered);
  }
  const { contentType, page } = answered;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(page.slice());
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": contentType } });
}

async function readSome(collection: Collection<ConfigMap>): Promise<readonly ConfigMap[]> {
  const list = await collection.list({}, { signal: new AbortController().signal });
  let count = 0;
  const kept: ConfigMap[] = [];
  for await (const batch of list.items) {
    for (const item of batch) {
      if (count % keptEach === 0) kept.push(item);
      count += 1;
    }
  }
  if (count !== items) throw new Error(`Expected ${items} items, got ${count}`);
  return kept;
}

async function usedBytes(): Promise<number> {
  await collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

const forms: readonly (readonly [string, Partial<CollectionOptions>])[] = [
  ["plain", {}],
  ["lazy", { lazy: true }],
  ["projected", { fields: ["data.small", "metadata.labels"] }],
  ["protobuf", { encoding: "protobuf" }],
  ["projected protobuf", { encoding: "protobuf", fields: ["data", "metadata.labels"] }],
];

test.runIf(isNode).each(forms)(
  "a kept item does not retain its page: %s (REF-18, LAZY-11)",
  async (_, form) => {
    const connection = createConnection({ server: "http://fake", fetch: answer });
    const collection = new Collection<ConfigMap>({ ...form, connection, resource });
    // Warm-up: decoders and buffers allocate memory that stays.
    for (let round = 0; round < 3; round++) await readSome(collection);
    const before = await usedBytes();
    const kept: ConfigMap[] = [];
    for (let round = 0; round < 12; round++) kept.push(...(await readSome(collection)));
    const grown = (await usedBytes()) - before;
    // The pages have 48 MB, the 64 kB around each kept item 15 MB, the kept items 500 kB. Compiled
    // code and buffers of the engine took up to 5 MB on a busy machine.
    expect(grown).toBeLessThan(8_000_000);
    const numbers = kept.map(({ data }) => data?.["small"]);
    expect(numbers.slice(0, 3)).toEqual(["s0", "s100", "s200"]);
  },
);
