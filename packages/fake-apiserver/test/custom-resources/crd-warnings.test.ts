import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, type Answer } from "../support/api-client.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definition(properties: object): object {
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    metadata: { name: "jars.kitchen.example" },
    spec: {
      group: "kitchen.example",
      scope: "Namespaced",
      names: { kind: "Jar", plural: "jars" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

const label = { type: "string", format: "label" };
const set = {
  type: "array",
  "x-kubernetes-list-type": "set",
  items: { type: "object", "x-kubernetes-map-type": "atomic" },
};
const setWarning =
  'x-kubernetes-list-type: set for items of type \\"object\\" is not supported ' +
  "by server-side apply or CEL validation rules";

function warningOf({ headers, status }: Answer): string {
  expect(status).toBeLessThan(300);
  return headers.get("warning") ?? "";
}

test("a definition with an unknown format is accepted with a warning, once", async () => {
  const client = new ApiClient(new FakeApiServer());
  const created = await client.call("POST", definitions, definition({ label }));
  expect(warningOf(created)).toBe('299 - "unrecognized format \\"label\\""');
  const { body } = await client.get(`${definitions}/jars.kitchen.example`);
  const { resourceVersion } = body["metadata"];
  const next = definition({ label, set }) as { metadata: object };
  const changed = { ...next, metadata: { ...next.metadata, resourceVersion } };
  const updated = await client.call("PUT", `${definitions}/jars.kitchen.example`, changed);
  expect(warningOf(updated)).toBe(`299 - "${setWarning}"`);
});
