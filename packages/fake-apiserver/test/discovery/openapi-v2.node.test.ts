import { readFileSync, readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
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
  expect([response.status, body.swagger, body.info.version]).toEqual([200, "2.0", "1.37"]);
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

test("a custom resource that takes any member has no description (API-1.4)", async () => {
  const names = { plural: "boxes", singular: "box", kind: "Box", listKind: "BoxList" };
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema } };
  const { fetch } = new FakeApiServer({
    crds: [
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "boxes.example.com" },
        spec: { group: "example.com", scope: "Namespaced", names, versions: [version] },
      },
    ],
  });
  const body: any = await (await fetch(new Request("http://localhost/openapi/v2"))).json();
  expect(body.definitions["com.example.v1.Box"]).toEqual({
    type: "object",
    "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Box", version: "v1" }],
  });
});

test("its members are those of a real server, but for the places of shared parameters", async () => {
  const recorded = unpack(
    new URL("../../../../conformance/openapi/openapi-v2.json.gz", import.meta.url),
  );
  const { parameters, ...rest } = recorded;
  const theirs = withParameters(rest, recordOf(parameters));
  const ours = (await (await get("application/json")).json()) as JsonObject;
  expect(differing(recordOf(theirs), ours)).toEqual([]);
  expect(Object.keys(recordOf(ours["paths"]))).toHaveLength(432);
});

test("/openapi/v3 has the documents of a real server, member by member (API-1.4)", async () => {
  const folder = new URL("../../openapi-v3/", import.meta.url);
  const { fetch } = new FakeApiServer();
  const paths: string[] = [];
  for (const file of readdirSync(folder)) {
    const path = file.replace(".json.gz", "").replaceAll("__", "/");
    paths.push(path);
    const response = await fetch(new Request(`http://localhost/openapi/v3/${path}`));
    const ours = (await response.json()) as JsonObject;
    expect([path, differing(unpack(new URL(file, folder)), ours)]).toEqual([path, []]);
  }
  const index = await (await fetch(new Request("http://localhost/openapi/v3"))).json();
  expect(Object.keys(recordOf(recordOf(index)["paths"])).toSorted()).toEqual(paths.toSorted());
});

test.each([askedType, type])("clients that ask for %s get protobuf", async (accept) => {
  const response = await get(accept);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Field 1, "2.0".
  expect([...bytes.subarray(0, 5)]).toEqual([0x0a, 3, 0x32, 0x2e, 0x30]);
  expect(bytes.length).toBeGreaterThan(1_000_000);
});

function unpack(file: URL): JsonObject {
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as JsonObject;
}

/** Writes the parameters that several operations share where they are used. */
function withParameters(value: unknown, shared: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((one) => withParameters(one, shared));
  if (!isRecord(value)) return value;
  const { $ref } = value;
  if (typeof $ref === "string" && $ref.startsWith("#/parameters/")) {
    return shared[$ref.slice("#/parameters/".length)];
  }
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, one]) => [name, withParameters(one, shared)]));
}

/** Names the paths, schemas and other members that differ. */
function differing(theirs: JsonObject, ours: JsonObject, depth = 2): readonly string[] {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  return names.flatMap((name) => {
    const [left, right] = [theirs[name], ours[name]];
    if (isDeepStrictEqual(left, right)) return [];
    if (depth === 0 || !isRecord(left) || !isRecord(right)) return [name];
    return differing(left, right, depth - 1).map((one) => `${name} ${one}`);
  });
}
