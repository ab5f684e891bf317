import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "probes.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "probes", kind: "Probe" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};
const probes = "http://cluster/apis/example.com/v1/namespaces/default/probes";

/** Writes an object with this spec, and returns the warnings. */
async function warningsOf(spec: string, type = "application/json"): Promise<string | null> {
  const api = new FakeApiServer({ seed: 1, crds: [definition] });
  const object = { apiVersion: "example.com/v1", kind: "Probe", metadata: { name: "a" } };
  const start = JSON.stringify(object).slice(0, -1);
  const isCreation = type === "application/json";
  const body = isCreation || type.includes("apply") ? `${start},"spec":${spec}}` : spec;
  const headers = { "content-type": type };
  const url = isCreation ? probes : `${probes}/a?fieldManager=test`;
  if (!isCreation) {
    await api.fetch(probes, {
      method: "POST",
      body: JSON.stringify(object),
      headers: { "content-type": "application/json" },
    });
  }
  const answer = await api.fetch(url, { method: isCreation ? "POST" : "PATCH", body, headers });
  expect(answer.ok).toBe(true);
  return answer.headers.get("warning");
}

test("an integer that is rounded leads to a warning with its path", async () => {
  expect(await warningsOf('{"startNanos":1732752000123456789,"note":"x"}')).toBe(
    '299 - "the fake API server has rounded the integer spec.startNanos: it keeps none beyond 2^53"',
  );
  expect(
    await warningsOf('{"list":[1, 9007199254740993], "min": -9223372036854775807 }'),
  ).toContain("the integer spec.list[1] and 1 more:");
});

test.each([
  ["application/merge-patch+json", '{"spec":{"startNanos":1732752000123456789}}'],
  ["application/json-patch+json", '[{"op":"add","path":"/spec","value":1732752000123456789}]'],
  ["application/apply-patch+yaml", '{"startNanos":1732752000123456789}'],
])("so does one in a patch of type %s", async (type, patch) => {
  expect(await warningsOf(patch, type)).toContain("has rounded the integer");
});

test("integers that are kept, floating-point numbers and strings lead to none", async () => {
  for (const spec of [
    '{"n":9007199254740992,"large":1700000000000000000,"power":1152921504606846976}',
    '{"n":0.12345678901234567890,"exponent":1234567890123456789e2}',
    '{"text":"[1732752000123456789,","map":{"1732752000123456789":1}}',
  ]) {
    expect(await warningsOf(spec)).toBeNull();
  }
});
