import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps } from "../support/api-client.ts";

const owner = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "u" };
const other = { ...owner, name: "y" };
const rest =
  "API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u";
const start = ".metadata.ownerReferences contains duplicate entries";
const sentTwice = `299 - "${start}; ${rest}"`;
const seenLater = `299 - "${start} after mutating admission happens; ${rest}"`;

function setUp(options: FakeApiServerOptions = {}): ApiClient {
  return new ApiClient(new FakeApiServer({ seed: 1, garbageCollection: "never", ...options }));
}

function outcome({ body, headers }: Answer): unknown {
  return [body["metadata"]["ownerReferences"], headers.get("warning")];
}

describe("a duplicate owner is kept once, with a warning (VAL-3)", () => {
  const metadata = { name: "a", ownerReferences: [owner, other, owner] };

  test("on a create and on an update", async () => {
    const client = setUp();
    const created = await client.call("POST", configMaps, { metadata });
    expect(outcome(created)).toEqual([[owner, other], sentTwice]);
    const updated = await client.call("PUT", `${configMaps}/a`, { metadata });
    expect(outcome(updated)).toEqual([[owner, other], sentTwice]);
    expect(updated.body["metadata"]).toEqual(created.body["metadata"]);
  });

  test("on a patch, which is checked later", async () => {
    const client = setUp();
    await client.createConfigMap("a");
    const patched = await client.call("PATCH", `${configMaps}/a`, { metadata });
    expect(outcome(patched)).toEqual([[owner, other], seenLater]);
  });

  test("when a plugin has duplicated it", async () => {
    const path = "/metadata/ownerReferences";
    const op = { op: "add", path, value: [owner, owner] } as const;
    const client = setUp({ admission: [{ name: "owners", mutate: () => [op] }] });
    const created = await client.call("POST", configMaps, { metadata: { name: "a" } });
    expect(outcome(created)).toEqual([[owner], seenLater]);
  });
});
