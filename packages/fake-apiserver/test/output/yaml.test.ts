import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ApiClient, type Json } from "../support/api-client.ts";

async function both(server: FakeApiServer, path: string): Promise<[unknown, unknown, string]> {
  const get = async (accept: string): Promise<string> => {
    const request = new Request(`http://localhost${path}`, { headers: { accept } });
    const response = await server.fetch(request);
    expect([path, accept, response.status]).toEqual([path, accept, 200]);
    expect(response.headers.get("content-type")).toBe(accept);
    return response.text();
  };
  const yaml = await get("application/yaml");
  return [JSON.parse(await get("application/json")), parse(yaml, { version: "1.1" }), yaml];
}

describe("responses in YAML", () => {
  test("equal those in JSON, without anchors: discovery and lists of all resources", async () => {
    const server = new FakeApiServer();
    const client = new ApiClient(server);
    const shared = {
      a: "yes",
      b: "0777",
      c: "1:30",
      d: "2026-01-01",
      e: "<<",
      f: "x ".repeat(100),
      g: "0o17",
      h: "0X1F",
    };
    await client.createConfigMap("a", shared);
    await client.createConfigMap("b", shared);
    const { groups } = (await client.get("/apis")).body;
    const versions: string[] = groups.flatMap((group: Json) =>
      group["versions"].map((version: Json) => `/apis/${version["groupVersion"]}`),
    );
    // A real server has its version and its list of OpenAPI documents only in JSON.
    const paths = ["/", "/api", "/apis", "/api/v1", ...versions];
    paths.push(...groups.map((group: Json) => `/apis/${group["name"]}`));
    for (const root of ["/api/v1", ...versions]) {
      const { resources } = (await client.get(root)).body;
      for (const { name, verbs } of resources) {
        if (!name.includes("/") && verbs.includes("list")) paths.push(`${root}/${name}`);
      }
    }
    const [, , maps] = await both(server, "/api/v1/configmaps");
    // Go reads these as numbers, and writes lists at the column of their key.
    expect(maps).toContain("\nitems:\n- data:\n    a: ");
    expect(maps).toContain('\n    g: "0o17"\n    h: "0X1F"\n');
    expect(paths.length).toBeGreaterThan(80);
    for (const path of paths) {
      const [json, yaml, text] = await both(server, path);
      expect(yaml).toEqual(json);
      expect(text).not.toMatch(/(?:^|[ -])[&*]\w+\s*$/m);
    }
  });
});
