import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";
import { FakeApiServer } from "../../src/index.ts";

const type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
// The name that client-go asks for, and whose "@" it could not read in an answer.
const askedType = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

async function get(accept: string): Promise<Response> {
  const { fetch } = new FakeApiServer();
  return fetch(new Request("http://localhost/openapi/v2", { headers: { accept } }));
}

test("/openapi/v2 describes the kinds and the parameters of patches (API-1.4)", async () => {
  const response = await get("application/json");
  const body: any = await response.json();
  expect([response.status, body.swagger, body.info.version]).toEqual([200, "2.0", "v1.37.2"]);
  expect(body.definitions["io.k8s.api.core.v1.ConfigMapList"].properties.items).toMatchObject({
    type: "array",
    items: { $ref: "#/definitions/io.k8s.api.core.v1.ConfigMap" },
  });
  const patch = body.paths["/api/v1/namespaces/{namespace}/configmaps/{name}"].patch;
  expect(patch["x-kubernetes-group-version-kind"]).toEqual({
    group: "",
    version: "v1",
    kind: "ConfigMap",
  });
  expect(patch.parameters.map(({ name }: { name: string }) => name)).toContain("fieldValidation");
});

test("the definitions are those of a real server, but for a few", async () => {
  const file = new URL("../../../../conformance/openapi/openapi-v2.json.gz", import.meta.url);
  const recorded = JSON.parse(gunzipSync(readFileSync(file)).toString()) as JsonObject;
  const ours = ((await (await get("application/json")).json()) as JsonObject)["definitions"];
  if (!isRecord(recorded["definitions"]) || !isRecord(ours)) throw new TypeError("no definitions");
  const differing = Object.entries(recorded["definitions"])
    .filter(([name, schema]) => !isSame(schema, ours[name]))
    .map(([name]) => name.split(".").at(-1));
  // Info has the version of the server. Kinds of deletes and watches name the groups of a document.
  expect(new Set(differing)).toEqual(new Set(["DeleteOptions", "Info", "WatchEvent"]));
});

test.each([askedType, type])("clients that ask for %s get protobuf", async (accept) => {
  const response = await get(accept);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Field 1, "2.0".
  expect([...bytes.subarray(0, 5)]).toEqual([0x0a, 3, 0x32, 0x2e, 0x30]);
  expect(bytes.length).toBeGreaterThan(1_000_000);
});

function isSame(left: unknown, right: unknown): boolean {
  try {
    expect(right).toEqual(left);
    return true;
  } catch {
    return false;
  }
}
