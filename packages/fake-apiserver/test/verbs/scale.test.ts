import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { template, workloadSpec } from "../support/valid-specs.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";

function setUp(): { readonly client: ApiClient } {
  return { client: new ApiClient(new FakeApiServer({ seed: 1 })) };
}

describe("the scale subresource of a deployment", () => {
  test("reads and changes the replicas, and has the selector as a string", async () => {
    const { client } = setUp();
    const expressions = [
      { key: "tier", operator: "NotIn", values: ["b", "a"] },
      { key: "old", operator: "DoesNotExist" },
    ];
    const selector = { matchLabels: { app: "web" }, matchExpressions: expressions };
    const spec = { ...workloadSpec, replicas: 1, selector };
    await client.call("POST", deployments, { metadata: { name: "d" }, spec });
    const scale = await client.get(`${deployments}/d/scale`);
    expect(scale.body).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "d", namespace: "default" },
      spec: { replicas: 1 },
      status: { replicas: 0, selector: "app=web,!old,tier notin (a,b)" },
    });
    await client.call("PATCH", `${deployments}/d/scale`, { spec: { replicas: 4 } });
    const { body } = await client.get(`${deployments}/d`);
    expect(body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 4, selector } });
    const negative = await client.call("PUT", `${deployments}/d/scale`, {
      ...scale.body,
      metadata: { name: "d" },
      spec: { replicas: -1 },
    });
    expect(negative.status).toBe(422);
  });
});

test("a patch sets the replicas of an object without any (API-1.15)", async () => {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const crd = widgetsCrd(schema, { subresources: { scale } });
  const client = new ApiClient(new FakeApiServer({ seed: 1, crds: [crd] }));
  const widgets = "/apis/example.com/v1/namespaces/default/widgets";
  const kind = { apiVersion: "example.com/v1", kind: "Widget" };
  await client.call("POST", widgets, { ...kind, metadata: { name: "w" } });
  const nothing = await client.call("PATCH", `${widgets}/w/scale`, {});
  expect(nothing.status).toBe(400);
  expect(nothing.body["message"]).toBe('the spec replicas field ".spec.replicas" cannot be empty');
  const { body } = await client.call("PATCH", `${widgets}/w/scale`, { spec: { replicas: 3 } });
  expect(body["spec"]).toEqual({ replicas: 3 });
});

test("a scale as a Table has other formats for custom resources", async () => {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const crd = widgetsCrd(schema, { subresources: { scale } });
  const client = new ApiClient(new FakeApiServer({ seed: 1, crds: [crd] }));
  const widgets = "/apis/example.com/v1/namespaces/default/widgets";
  const widget = { apiVersion: "example.com/v1", kind: "Widget", spec: { replicas: 3 } };
  await client.call("POST", widgets, { ...widget, metadata: { name: "a" } });
  await client.call("POST", deployments, { metadata: { name: "a" }, spec: workloadSpec });
  const columnsOf = async (path: string) => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await client.call("GET", `${path}/a/scale`, undefined, {
      headers: { accept },
    });
    expect(body["rows"][0].cells.slice(0, 3)).toEqual(["a", expect.any(Number), 0]);
    expect(body["rows"][0].cells[3]).toMatch(/^\d+s$/);
    return body["columnDefinitions"].map(
      ({ format, name, type }: Readonly<Record<string, string>>) => [name, type, format],
    );
  };
  const replicas = [
    ["Desired", "integer", ""],
    ["Available", "integer", ""],
  ];
  expect(await columnsOf(widgets)).toEqual([
    ["Name", "string", "name"],
    ...replicas,
    ["Age", "date", ""],
  ]);
  expect(await columnsOf(deployments)).toEqual([
    ["Name", "string", ""],
    ...replicas,
    ["Age", "string", ""],
  ]);
});

const controllerSpec = { selector: { app: "web" }, template: template() };

test.each([
  ["apps/v1 Deployment", deployments, workloadSpec],
  ["apps/v1 ReplicaSet", "/apis/apps/v1/namespaces/default/replicasets", workloadSpec],
  ["apps/v1 StatefulSet", "/apis/apps/v1/namespaces/default/statefulsets", workloadSpec],
  ["v1 ReplicationController", "/api/v1/namespaces/default/replicationcontrollers", controllerSpec],
])("SUB-1: %s has a scale", async (_kind, path, spec) => {
  const { client } = setUp();
  const { body } = await client.call("POST", path, {
    metadata: { name: "a" },
    spec: { ...spec, replicas: 2 },
  });
  await client.call("PATCH", `${path}/a/status`, { status: { replicas: 1 } });
  const { body: scale } = await client.get(`${path}/a/scale`);
  const { creationTimestamp, uid } = body["metadata"] as Record<string, string>;
  expect(scale).toEqual({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      ...{ name: "a", namespace: "default", uid, creationTimestamp },
      resourceVersion: expect.any(String) as string,
    },
    spec: { replicas: 2 },
    status: { replicas: 1, selector: "app=web" },
  });
  const put = await client.call("PUT", `${path}/a/scale`, { ...scale, spec: { replicas: 5 } });
  expect(put).toMatchObject({ status: 200, body: { kind: "Scale", spec: { replicas: 5 } } });
  const stale = await client.call("PUT", `${path}/a/scale`, { ...scale, spec: { replicas: 6 } });
  expect(stale.status).toBe(409);
  const scaled = await client.get(`${path}/a`);
  expect(scaled.body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
  const negative = await client.call("PATCH", `${path}/a/scale`, { spec: { replicas: -1 } });
  expect(negative.status).toBe(422);
  expect(negative.body["message"]).toContain("spec.replicas: Invalid value: -1");
});

test("SUB-1: a scale may lack its type", async () => {
  const { client } = setUp();
  await client.call("POST", deployments, { metadata: { name: "a" }, spec: workloadSpec });
  const scale = { metadata: { name: "a" }, spec: { replicas: 4 } };
  const { body, status } = await client.call("PUT", `${deployments}/a/scale`, scale);
  expect([status, body["spec"]]).toEqual([200, { replicas: 4 }]);
  const other = { ...scale, kind: "Deployment", apiVersion: "apps/v1" };
  expect((await client.call("PUT", `${deployments}/a/scale`, other)).status).toBe(400);
});

test("SUB-1: other kinds have no scale", async () => {
  const { client } = setUp();
  const path = "/apis/apps/v1/namespaces/default/daemonsets";
  await client.call("POST", path, { metadata: { name: "a" }, spec: workloadSpec });
  expect((await client.get(`${path}/a/scale`)).status).toBe(404);
});
