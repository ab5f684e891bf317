import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { configMaps } from "../support/api-client.ts";

const base = "http://server";

/** Returns the names in an exact list of the state before `b`, compacted during the list. */
async function namesAfterCompaction(turns: number): Promise<readonly string[] | number> {
  const server = new FakeApiServer({ seed: 1 });
  const create = (name: string): Promise<Response> =>
    server.fetch(
      new Request(base + configMaps, {
        method: "POST",
        body: JSON.stringify({ metadata: { name } }),
        headers: { "content-type": "application/json" },
      }),
    );
  await create("a");
  const exact = `resourceVersion=${server.control.revision}&resourceVersionMatch=Exact`;
  await create("b");
  const listing = server.fetch(new Request(`${base}${configMaps}?${exact}`));
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  server.control.compact();
  const response = await listing;
  if (!response.ok) return response.status;
  const { items } = (await response.json()) as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}

test("a compaction during an exact list results in that state or a 410, and nothing in between", async () => {
  const seen = new Set<string>();
  for (let turns = 0; turns < 30; turns++) {
    const names = await namesAfterCompaction(turns);
    expect([["a"], 410]).toContainEqual(names);
    seen.add(JSON.stringify(names));
  }
  expect([...seen].toSorted()).toEqual(["410", '["a"]']);
});
