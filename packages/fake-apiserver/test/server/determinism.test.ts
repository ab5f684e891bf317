import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** Returns all responses of a server to the same requests: heads, bodies and streams. */
async function conversation(seed: number): Promise<readonly string[]> {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed });
  const client = new ApiClient(server);
  const said: string[] = [];
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await client.send(method, path, body);
    said.push(
      `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`,
    );
  };
  const watch = await client.watch(
    `${configMaps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90`,
  );
  for (let index = 0; index < 5; index++) {
    await ask("POST", configMaps, { metadata: { generateName: "c-" } });
    await clock.advance(7000);
  }
  await ask("GET", `${configMaps}?limit=2`);
  await ask("DELETE", configMaps);
  await ask("GET", `${configMaps}/missing`);
  await ask("GET", "/apis");
  await clock.advance(90_000);
  await watch.rest();
  const decoder = new TextDecoder();
  return [...said, ...watch.chunks.map((chunk) => decoder.decode(chunk))];
}

describe("a seed", () => {
  test("produces the same responses byte for byte, every time", async () => {
    expect(await conversation(42)).toEqual(await conversation(42));
  });

  test("produces other uids and names than another seed", async () => {
    expect(await conversation(42)).not.toEqual(await conversation(43));
  });

  test("is optional: servers without one differ", async () => {
    const names = new Set<string>();
    for (let index = 0; index < 3; index++) {
      const client = new ApiClient(new FakeApiServer());
      const { body } = await client.call("POST", configMaps, { metadata: { generateName: "c-" } });
      names.add(String(body["metadata"]["uid"]));
    }
    expect(names.size).toBe(3);
  });
});
