import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";

test("a compaction while a watch is being opened never drops events silently", async () => {
  for (let turns = 0; turns < 30; turns++) {
    const server = new FakeApiServer({ seed: 1 });
    const client = new ApiClient(server);
    await client.createConfigMap("a");
    const start = server.control.revision;
    await client.createConfigMap("b");
    await client.createConfigMap("c");
    const opening = client.watch(`${configMaps}?watch=1&resourceVersion=${start}`);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    server.control.compact();
    const watch = await opening;
    const [first] = await watch.take(1);
    expect({ turns, first }).toEqual({
      turns,
      first: expect.stringMatching(/^(?:ADDED b|ERROR 410)$/),
    });
    server.control.watches.end();
  }
});
