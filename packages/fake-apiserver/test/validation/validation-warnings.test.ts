import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";

const path = "/api/v1/namespaces/default/configmaps";

function post(body: string, type: string, query = ""): Promise<Response> {
  const server = new FakeApiServer({ seed: 1 });
  const request = { method: "POST", body, headers: { "content-type": type } };
  return server.fetch(new Request(`http://localhost${path}${query}`, request));
}

describe("strict decoding (API-1.18)", () => {
  test("warns about duplicate and unknown fields, each once", async () => {
    const response = await post(
      '{"metadata":{"name":"a","bogus":1},"data":{"x":"1","x":"2"}}',
      "application/json",
    );
    expect(response.status).toBe(201);
    expect(response.headers.get("warning")).toBe(
      String.raw`299 - "unknown field \"metadata.bogus\"", 299 - "duplicate field \"data.x\""`,
    );
  });

  test("warns about each duplicate key in YAML, and rejects all in one error", async () => {
    const yaml = "metadata: {name: a}\ndata:\n  x: y\n  x: z\n  x: a\n";
    const response = await post(yaml, "application/yaml");
    expect(response.status).toBe(201);
    const warnings = [4, 5].map(
      (line) => String.raw`299 - "line ${line}: key \"x\" already set in map"`,
    );
    expect(response.headers.get("warning")).toBe(warnings.join(", "));
    const refused = await post(yaml, "application/yaml", "?fieldValidation=Strict");
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain(String.raw`line 4: key \"x\" already set in map`);
  });
});
