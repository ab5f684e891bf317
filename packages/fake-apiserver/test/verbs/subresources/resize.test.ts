import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../../support/api-client.ts";
import { podOf, pods } from "../../support/pods.ts";

const resources = { requests: { cpu: "1" } };
const [a, b] = ["a", "b"].map((name) => ({ name, image: "example", resources }));
const [first, second] = ["first", "second"].map((name) => ({ name, image: "example", resources }));

async function resize(spec: object): Promise<Answer> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const pod = podOf("web", { containers: [a, b], initContainers: [first, second] });
  await client.call("POST", pods, pod);
  return client.call("PATCH", `${pods}/web/resize`, { spec });
}

// Messages recorded from kube-apiserver 1.36.3.
describe("a resize of a pod", () => {
  test.each([
    ["containers", { containers: [b, a] }, [0, 1]],
    ["containers", { containers: [a, { ...b, name: "c" }] }, [1]],
    ["initContainers", { initContainers: [second, first] }, [0, 1]],
  ])("cannot rename or reorder %s: %j (SUB-8)", async (list, spec, indexes) => {
    const { body, status } = await resize(spec);
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toEqual(
      indexes.map((index) => ({
        reason: "FieldValueForbidden",
        field: `spec.${list}[${index}].name`,
        message: `Forbidden: ${list} may not be renamed or reordered on resize`,
      })),
    );
  });

  test.each([
    ["containers", { containers: [a] }],
    ["containers", { containers: [a, b, { name: "c", image: "example" }] }],
    ["initContainers", { initContainers: null }],
  ])("cannot add or remove %s: %j (SUB-8)", async (list, spec) => {
    const { body, status } = await resize(spec);
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toMatchObject([
      {
        field: `spec.${list}`,
        message: `Forbidden: ${list} may not be added or removed on resize`,
      },
    ]);
  });

  test("also changes the resources of init containers (SUB-8)", async () => {
    const larger = { ...first, resources: { requests: { cpu: "2" } } };
    const { body, status } = await resize({ initContainers: [larger, second] });
    expect(status).toBe(200);
    expect(body["spec"]["initContainers"]).toMatchObject([larger, second]);
  });
});
