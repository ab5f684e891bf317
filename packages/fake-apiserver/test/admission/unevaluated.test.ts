import { type ApiObject, FakeApiServer, type Log } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const root = "/apis/admissionregistration.k8s.io/v1";
const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] }],
};
const mutation = { patchType: "JSONPatch", jsonPatch: { expression: "[]" } };
const inert = "by this server, so it refuses and changes nothing";

const registrations: readonly [kind: string, plural: string, fields: object, reason: string][] = [
  [
    "MutatingAdmissionPolicy",
    "mutatingadmissionpolicies",
    { spec: { matchConstraints, mutations: [mutation], reinvocationPolicy: "Never" } },
    "CEL expressions are not evaluated",
  ],
];

function registration(kind: string, fields: object): ApiObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "a" },
    ...fields,
  };
}

const definitionWithRules = widgetsCrd({
  type: "object",
  "x-kubernetes-validations": [{ rule: "self.size < 5" }],
  properties: { size: { type: "integer" } },
});
const conversionWarning = "spec.conversion: webhooks are not called by this server";

describe("a write of an object that has no effect here gets one warning", () => {
  test.each(registrations)("%s", async (kind, plural, fields, reason) => {
    const client = new ApiClient(new FakeApiServer());
    const warning = `299 - "${kind}: ${reason} ${inert}"`;
    const created = await client.call("POST", `${root}/${plural}`, registration(kind, fields));
    expect([created.status, created.headers.get("warning")]).toEqual([201, warning]);
    const updated = await client.call("PUT", `${root}/${plural}/a`, {
      ...created.body,
      metadata: { ...created.body["metadata"], labels: { changed: "yes" } },
    });
    expect([updated.status, updated.headers.get("warning")]).toEqual([200, warning]);
    const patch = { metadata: { labels: { changed: "again" } } };
    const patched = await client.call("PATCH", `${root}/${plural}/a`, patch);
    expect([patched.status, patched.headers.get("warning")]).toEqual([200, warning]);
    const read = await client.get(`${root}/${plural}/a`);
    expect(read.headers.get("warning")).toBeNull();
  });

  test("a definition whose versions an ignored webhook converts", async () => {
    const client = new ApiClient(new FakeApiServer({ webhooks: "ignore" }));
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const created = await client.call("POST", path, definitionWithRules);
    expect(created.headers.get("warning")).toBeNull();
    const conversion = {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: "https://example.com/" },
        conversionReviewVersions: ["v1"],
      },
    };
    const patch = { spec: { conversion } };
    const { headers } = await client.call("PATCH", `${path}/widgets.example.com`, patch);
    expect(headers.get("warning")).toBe(`299 - "${conversionWarning}"`);
  });
});

test("objects of the constructor that have no effect are named in one line of the log", () => {
  const lines: unknown[] = [];
  const ignore = (): void => {};
  const log: Log = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (message, fields) => lines.push([message, fields]),
  };
  const objects = registrations.map(([kind, , fields]) => registration(kind, fields));
  const server = new FakeApiServer({ crds: [definitionWithRules], objects, log });
  expect(server.control.revision).toBeGreaterThan(0);
  const parts = registrations.map(
    ([kind, , , reason], index) => `objects[${index}]: ${kind}: ${reason} ${inert}`,
  );
  expect(lines).toEqual([["Parts of objects have no effect here", { objects: parts }]]);
});
