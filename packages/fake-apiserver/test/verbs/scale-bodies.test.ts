import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../support/api-client.ts";
import { workloadSpec } from "../support/valid-specs.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const deployment = "/apis/apps/v1/namespaces/default/deployments/a";
const widget = "/apis/example.com/v1/namespaces/default/widgets/a";
const scheme = 'in scheme "pkg/runtime/scheme.go:111"';

async function start(): Promise<ApiClient> {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const crd = widgetsCrd(schema, { subresources: { scale } });
  const client = new ApiClient(new FakeApiServer({ seed: 1, crds: [crd] }));
  const metadata = { name: "a" };
  await client.call("POST", deployment.slice(0, -2), { metadata, spec: workloadSpec });
  const object = { apiVersion: "example.com/v1", kind: "Widget", metadata, spec: { replicas: 1 } };
  await client.call("POST", widget.slice(0, -2), object);
  return client;
}

async function put(path: string, fields: object, query = ""): Promise<Answer> {
  const scale = { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "a" }, ...fields };
  return (await start()).call("PUT", `${path}/scale${query}`, scale);
}

// Messages recorded from kube-apiserver 1.36.3.
describe("a Scale in a body", () => {
  const field = "Go struct field ScaleSpec.spec.replicas of type int32";

  test.each([
    [{ spec: { replicas: "x" } }, `v1: json: cannot unmarshal string into ${field}`],
    [{ spec: { replicas: true } }, `v1: json: cannot unmarshal bool into ${field}`],
    [{ spec: { replicas: 4.5 } }, `v1: json: cannot unmarshal number 4.5 into ${field}`],
    [
      { spec: { replicas: 2_147_483_648 } },
      `v1: json: cannot unmarshal number 2147483648 into ${field}`,
    ],
    [
      { metadata: { name: "a", labels: { a: 1 } } },
      "v1: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string",
    ],
    [
      { apiVersion: "autoscaling/v2" },
      `v2: no kind "Scale" is registered for version "autoscaling/v2" ${scheme}`,
    ],
  ])("that cannot be decoded is rejected: %j (API-1.15)", async (fields, problem) => {
    const [version = "", ...why] = problem.split(": ");
    const { body, status } = await put(deployment, fields);
    expect(status).toBe(400);
    expect(body["message"]).toBe(
      `Scale in version "${version}" cannot be handled as a Scale: ${why.join(": ")}`,
    );
    const custom = await put(widget, fields);
    expect(custom.status).toBe(400);
    expect(custom.body["message"]).toBe(`no kind is registered for the type v1.Scale ${scheme}`);
  });

  test.each([deployment, widget])(
    "of %s is validated for unknown fields (API-1.18)",
    async (path) => {
      const fields = { spec: { replicas: 1, foo: 1 } };
      const warned = await put(path, fields);
      expect(warned.status).toBe(200);
      expect(warned.headers.get("warning")).toBe('299 - "unknown field \\"spec.foo\\""');
      expect((await put(path, fields, "?fieldValidation=Strict")).status).toBe(400);
      const patch = { spec: { foo: 1 } };
      const strict = `${path}/scale?fieldValidation=Strict`;
      expect((await (await start()).call("PATCH", strict, patch)).status).toBe(422);
    },
  );

  test.each([deployment, widget])("of %s must have the object's uid (API-1.15)", async (path) => {
    const { body, status } = await put(path, { metadata: { name: "a", uid: "other" } });
    expect([status, body["reason"]]).toEqual([409, "Conflict"]);
    expect(body["message"]).toContain("Precondition failed: UID in precondition: other");
  });
});

test.each([deployment, widget])("zero replicas of %s are omitted (API-1.15)", async (path) => {
  const client = await start();
  const none = { spec: { replicas: 0 } };
  expect((await client.call("PATCH", `${path}/scale`, none)).body["spec"]).toEqual({});
  expect((await client.get(`${path}/scale`)).body["spec"]).toEqual({});
  expect((await client.get(path)).body["spec"]["replicas"]).toBe(0);
});
