// Browsers forbid the request headers that these tests set.
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
});
