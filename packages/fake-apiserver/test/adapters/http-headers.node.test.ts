// Browsers forbid the request headers that these tests set.
import { gunzipSync } from "node:zlib";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";

function get(
  server: FakeApiServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return server.fetch(new Request(`http://localhost${path}`, { headers }));
}

describe("a response", () => {
  test.each([
    ["curl/8.5.0", "", true],
    ["kubectl/v1.36", "", false],
    ["Mozilla/5.0 (X11)", "", true],
    ["curl/8.5.0", "?pretty=false", false],
    ["kubectl/v1.36", "?pretty=true", true],
  ])("to %s with %j is indented: %j", async (agent, query, pretty) => {
    const response = await get(new FakeApiServer(), `${configMaps}${query}`, {
      "user-agent": agent,
    });
    expect((await response.text()).startsWith("{\n  ")).toBe(pretty);
  });

  test("is compressed when it is large and the client accepts gzip", async () => {
    const server = new FakeApiServer();
    const client = new ApiClient(server);
    const data = { text: "x".repeat(50_000) };
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name, data);
    const plain = await (await get(server, configMaps)).text();
    const response = await get(server, configMaps, { "accept-encoding": "deflate, gzip;q=0.5" });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    const stream = response.body?.pipeThrough(new DecompressionStream("gzip"));
    expect(await new Response(stream).text()).toBe(plain);
    const small = await get(server, `${configMaps}/a`, { "accept-encoding": "gzip" });
    expect(small.headers.has("content-encoding")).toBe(false);
  });

  test("to a watch with initial events has a gzip member for each flush (WatchListCompression)", async () => {
    const server = new FakeApiServer();
    const client = new ApiClient(server);
    await client.createConfigMap("a", { text: "one" });
    const query = "watch=true&allowWatchBookmarks=true&sendInitialEvents=true";
    const whole = `${configMaps}?${query}&resourceVersionMatch=NotOlderThan`;
    const gzip = { "accept-encoding": "gzip" };
    const response = await get(server, whole, gzip);
    expect(response.headers.get("content-encoding")).toBe("gzip");
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
    const reader = response.body!.getReader();
    const members: string[] = [];
    const readMember = async (): Promise<void> => {
      const { value } = await reader.read();
      members.push(gunzipSync(value!).toString());
    };
    while (!members.join("").includes("initial-events-end")) await readMember();
    await client.createConfigMap("b", { text: "two" });
    await readMember();
    await reader.cancel();
    const lines = members.join("").trimEnd().split("\n");
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toEqual(["ADDED", "BOOKMARK", "ADDED"]);
    expect(members.length).toBeGreaterThan(1);

    const { headers, body } = await get(server, `${configMaps}?watch=true&resourceVersion=1`, gzip);
    expect(headers.has("content-encoding")).toBe(false);
    await body?.cancel();
  });
});
