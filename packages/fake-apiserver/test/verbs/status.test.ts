import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { podSpec, volumeSpec, workloadSpec } from "../support/valid-specs.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const pods = "/api/v1/namespaces/default/pods";

function setUp(): { client: ApiClient; server: FakeApiServer; clock: ManualClock } {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const server = new FakeApiServer({ clock, seed: 1 });
  return { client: new ApiClient(server), server, clock };
}

describe("the status in a write of the whole object", () => {
  test("STA-1: is dropped when the object is new, unless it is a node", async () => {
    const { client } = setUp();
    const object = { metadata: { name: "a" }, spec: workloadSpec, status: { phase: "Running" } };
    const pod = await client.call("POST", pods, { ...object, spec: podSpec });
    expect(pod.body["status"]).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    const deployment = await client.call("POST", deployments, object);
    expect(deployment.body["status"]).toEqual({});
    expect(deployment.body["metadata"]["generation"]).toBe(1);
    const node = await client.call("POST", "/api/v1/nodes", { ...object, spec: {} });
    expect(node.body["status"]).toMatchObject({ phase: "Running" });
  });

  test.each([
    ["PUT", "application/json"],
    ["PATCH", "application/merge-patch+json"],
    ["PATCH", "application/strategic-merge-patch+json"],
  ])("STA-1: is ignored: %s, %s", async (method, type) => {
    const { client, server } = setUp();
    const object = { metadata: { name: "d" }, spec: { ...workloadSpec, replicas: 1 } };
    await client.call("POST", deployments, object);
    const stored = { replicas: 1, observedGeneration: 1 };
    const written = await client.call("PATCH", `${deployments}/d/status`, { status: stored });
    const write = (replicas: number): Promise<Answer> => {
      const status = { replicas: 7, readyReplicas: 7 };
      const body = { ...object, spec: { ...workloadSpec, replicas }, status };
      return client.call(method, `${deployments}/d`, body, { headers: { "content-type": type } });
    };
    const before = server.control.revision;
    expect((await write(1)).body).toEqual(written.body);
    expect(server.control.revision).toBe(before);
    const { body } = await write(2);
    expect([body["spec"]["replicas"], body["status"]]).toEqual([2, stored]);
  });
});

describe("the status subresource of a built-in object", () => {
  const change = {
    metadata: {
      labels: { a: "b" },
      annotations: { c: "d" },
      finalizers: ["example.com/x"],
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u" }],
    },
    spec: { nodeName: "other" },
    status: { phase: "Running" },
  };
  const owns = ({ body }: Answer): unknown =>
    body["metadata"]["managedFields"].find(
      ({ subresource }: { subresource?: string }) => subresource === "status",
    ).fieldsV1["f:metadata"];

  test("MF-31, STA-2: accepts the status and metadata of a pod except its owners", async () => {
    const { client } = setUp();
    await client.call("POST", pods, {
      metadata: { name: "p" },
      spec: { ...podSpec, nodeName: "n" },
    });
    const answer = await client.call("PATCH", `${pods}/p/status`, change);
    const { metadata, spec, status } = answer.body;
    expect([spec["nodeName"], status["phase"]]).toEqual(["n", "Running"]);
    expect(metadata).toMatchObject({
      labels: { a: "b" },
      annotations: { c: "d" },
      finalizers: ["example.com/x"],
    });
    expect(metadata).not.toHaveProperty("ownerReferences");
    expect(Object.keys(Object(owns(answer)))).toEqual([
      "f:annotations",
      "f:finalizers",
      "f:labels",
    ]);
  });

  test("MF-31, STA-2: ignores the labels of a deployment", async () => {
    const { client } = setUp();
    const metadata = { name: "d", labels: { x: "y" } };
    await client.call("POST", deployments, { metadata, spec: workloadSpec });
    const answer = await client.call("PATCH", `${deployments}/d/status`, change);
    expect(answer.body["metadata"]["labels"]).toEqual({ x: "y" });
    expect(answer.body["metadata"]["annotations"]).toEqual({ c: "d" });
    expect(Object(owns(answer))).not.toHaveProperty("f:labels");
  });

  test("STA-2: of a pod keeps its QoS class if the status omits it", async () => {
    const { client } = setUp();
    const { body } = await client.call("POST", pods, { metadata: { name: "p" }, spec: podSpec });
    const status = { phase: "Running" };
    const answer = await client.call("PUT", `${pods}/p/status`, { ...body, status });
    expect(answer.body["status"]).toEqual({ phase: "Running", qosClass: "BestEffort" });
  });

  test("STA-2: of a pod keeps the generations that it and its conditions omit", async () => {
    const { client } = setUp();
    const { body } = await client.call("POST", pods, { metadata: { name: "p" }, spec: podSpec });
    const write = async (status: object): Promise<unknown> => {
      const sent = { ...body, metadata: { name: "p" }, status };
      return (await client.call("PUT", `${pods}/p/status`, sent)).body["status"];
    };
    const condition = (type: string, observedGeneration?: number): object => ({
      type,
      status: "True",
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    });
    await write({
      observedGeneration: 1,
      conditions: [condition("A", 1), condition("A", 2), condition("B")],
    });
    // Recorded from kube-apiserver 1.36.3.
    const conditions = ["A", "A", "A", "B"].map((type) => condition(type));
    expect(await write({ conditions })).toMatchObject({
      observedGeneration: 1,
      conditions: [condition("A", 1), condition("A", 2), conditions[2], conditions[3]],
    });
    expect(await write({ observedGeneration: 2, conditions: [condition("A", 3)] })).toMatchObject({
      observedGeneration: 2,
      conditions: [condition("A", 3)],
    });
    const empty = await write({});
    expect(empty).toMatchObject({ observedGeneration: 2 });
    expect(empty).not.toHaveProperty("conditions");
    expect(await write({ conditions: [condition("A")] })).not.toHaveProperty(
      "conditions.0.observedGeneration",
    );
  });

  test.each([
    ["status", { observedGeneration: -1 }],
    [
      "status.conditions[0]",
      { conditions: [{ type: "A", status: "True", observedGeneration: -1 }] },
    ],
  ])("of a pod rejects a negative generation in %s", async (field, status) => {
    const { client } = setUp();
    await client.call("POST", pods, { metadata: { name: "p" }, spec: podSpec });
    const answer = await client.call("PATCH", `${pods}/p/status`, { status });
    expect([answer.status, answer.body["message"]]).toEqual([
      422,
      `Pod "p" is invalid: ${field}.observedGeneration: Invalid value: -1: must be a non-negative integer`,
    ]);
  });

  test("STA-2: of a volume has the time of its phase, unless the client sets it", async () => {
    const { client, clock } = setUp();
    const path = "/api/v1/persistentvolumes";
    await client.call("POST", path, { metadata: { name: "v" }, spec: volumeSpec });
    await clock.advance(60_000);
    const write = async (status: object): Promise<unknown> =>
      (await client.call("PATCH", `${path}/v/status`, { status })).body["status"];
    const bound = { phase: "Bound", lastPhaseTransitionTime: "2026-01-02T03:05:05Z" };
    expect(await write({ phase: "Bound" })).toEqual(bound);
    await clock.advance(60_000);
    expect(await write({ phase: "Bound", message: "m" })).toEqual({ ...bound, message: "m" });
    const released = { phase: "Released", lastPhaseTransitionTime: "2026-01-01T00:00:00Z" };
    expect(await write(released)).toMatchObject(released);
  });

  test("MF-30: accepts only the status of an APIService", async () => {
    const { client } = setUp();
    const path = "/apis/apiregistration.k8s.io/v1/apiservices";
    const spec = { group: "x.io", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 };
    await client.call("POST", path, { metadata: { name: "v1.x.io" }, spec });
    const answer = await client.call("PATCH", `${path}/v1.x.io/status`, {
      metadata: { labels: { a: "b" } },
      status: { conditions: [{ type: "Available", status: "True" }] },
    });
    expect(answer.body["metadata"]).not.toHaveProperty("labels");
    expect(answer.body["status"]["conditions"]).toHaveLength(1);
  });
});
