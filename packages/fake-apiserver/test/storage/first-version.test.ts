import { expect, test } from "vitest";
import { FakeApiServer } from "../../src/index.ts";

const first = 9_007_199_254_740_990n;
const maps = "http://localhost/api/v1/namespaces/default/configmaps";

interface Answer {
  readonly code?: number;
  readonly message?: string;
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items?: readonly unknown[];
}

function createServer() {
  const server = new FakeApiServer({ firstVersion: first, bootstrap: "namespaces" });
  const send = async (method: string, url: string, body?: object): Promise<Answer> => {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers };
    return (await (await server.fetch(url, { method, ...init })).json()) as Answer;
  };
  const create = (name: string): Promise<Answer> => send("POST", maps, { metadata: { name } });
  return { server, send, create };
}

test("resourceVersions go on exactly where numbers are not exact any more", async () => {
  const { create, send, server } = createServer();
  const versions: bigint[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    versions.push(BigInt((await create(name)).metadata.resourceVersion));
  }
  const [begin = 0n] = versions;
  expect(begin).toBeGreaterThan(first);
  expect(begin).toBeLessThan(first + 100n);
  expect(versions).toEqual([begin, begin + 1n, begin + 2n, begin + 3n]);
  expect(new Set(versions.map(Number)).size).toBeLessThan(4);
  const page = await send("GET", `${maps}?limit=2`);
  expect(page.metadata.resourceVersion).toBe(String(begin + 3n));
  const rest = await send("GET", `${maps}?limit=2&continue=${page.metadata.continue ?? ""}`);
  expect([page.items?.length, rest.items?.length]).toEqual([2, 2]);
  expect(server.control.eventLog("configmaps").map(({ object }) => object.metadata)).toMatchObject(
    versions.map((version) => ({ resourceVersion: String(version) })),
  );
});

test("a watch from such a version brings what came after it, and is too old after a compaction", async () => {
  const { create, send, server } = createServer();
  const from = (await create("a")).metadata.resourceVersion;
  await create("b");
  const watch = async (version: string): Promise<string> => {
    const stop = new AbortController();
    const url = `${maps}?watch=1&resourceVersion=${version}`;
    const { body } = await server.fetch(url, { signal: stop.signal });
    const piece = await body?.getReader().read();
    stop.abort();
    return new TextDecoder().decode(piece?.value);
  };
  expect(await watch(from)).toContain('"name":"b"');
  const newest = String(BigInt(from) + 1n);
  server.control.compact({ watches: true });
  expect(await watch(from)).toContain(`too old resource version: ${from} (${newest})`);
  expect(await watch("7")).toContain(`too old resource version: 7 (${newest})`);
  const exact = await send("GET", `${maps}?resourceVersion=7&resourceVersionMatch=Exact`);
  expect(exact.code).toBe(410);
});

test("writes compare such versions exactly", async () => {
  const { create, send } = createServer();
  const { metadata } = await create("a");
  const other = String(BigInt(metadata.resourceVersion) + 1n);
  const wrong = await send("PUT", `${maps}/a`, {
    metadata: { name: "a", resourceVersion: other },
  });
  expect(wrong.code).toBe(409);
  const preconditions = { resourceVersion: other };
  const refused = await send("DELETE", `${maps}/a`, { preconditions });
  expect(refused.message).toContain(`in record (${metadata.resourceVersion})`);
  const right = await send("PUT", `${maps}/a`, { metadata, data: { key: "value" } });
  expect(right.metadata.resourceVersion).toBe(other);
});

test("a first version that no server has is refused", () => {
  expect(() => new FakeApiServer({ firstVersion: 0n })).toThrow("firstVersion");
  expect(() => new FakeApiServer({ firstVersion: 5 as never })).toThrow("a bigint from 1n");
});
