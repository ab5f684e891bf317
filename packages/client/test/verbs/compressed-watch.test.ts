import { createClient, createConnection, DecodeError } from "@listwatch/client";
import { expect, test } from "vitest";

const event = { type: "ADDED", object: { metadata: { namespace: "a", name: "b" } } };
const { process } = globalThis as { process?: { versions?: { node?: string } } };
const isPage = process?.versions?.node === undefined;

/** Types of the events of a watch whose body the runtime has decompressed. */
async function readTypes(): Promise<readonly string[]> {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const connection = createConnection({
    server: "http://cluster",
    fetch: async () => new Response(`${JSON.stringify(event)}\n`, { headers }),
  });
  const resource = { group: "", version: "v1", resource: "configmaps" };
  const types: string[] = [];
  const maps = createClient(connection).resource(resource);
  for await (const { type } of maps.watch({ namespace: "a" })) types.push(type);
  return types;
}

test.skipIf(isPage)("a compressed watch is read", async () => {
  expect(await readTypes()).toEqual(["ADDED"]);
});

// Browsers decode the first gzip member of a watch, and nothing after it.
test.runIf(isPage)("a compressed watch is refused in a browser", async () => {
  await expect(readTypes()).rejects.toThrow(DecodeError);
});
