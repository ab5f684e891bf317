import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { podSpec, template, workloadSpec } from "../support/valid-specs.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const pods = "/api/v1/namespaces/default/pods";
const podTemplates = "/api/v1/namespaces/default/podtemplates";
const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const webhook = {
  name: "w.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: "https://example.com" },
};

function setUp(): { client: ApiClient; server: FakeApiServer; clock: ManualClock } {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const server = new FakeApiServer({ clock, seed: 1 });
  return { client: new ApiClient(server), server, clock };
}

describe("a create", () => {
  test("fills in what the server knows and drops what only the server may say", async () => {
    const { client, server } = setUp();
    const metadata = {
      name: "a",
      uid: "mine",
      generation: 9,
      creationTimestamp: "2001-01-01T00:00:00Z",
      deletionTimestamp: "2001-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 3,
      selfLink: "/x",
      finalizers: [],
      labels: {},
    };
    const { body, status } = await client.call("POST", configMaps, { metadata });
    expect(status).toBe(201);
    expect(body).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace: "default",
        uid: expect.stringMatching(/^[0-9a-f]{8}-/) as string,
        resourceVersion: String(server.control.revision),
        generation: 9,
        creationTimestamp: "2026-01-02T03:04:05Z",
      },
    });
  });

  test("drops the status of a new object, unless it is a node's", async () => {
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

  test("says who owns its fields, whatever its client says of that", async () => {
    const { client } = setUp();
    const managedFields = [{ manager: "me", operation: "Update", fieldsType: "FieldsV1" }];
    const object = { metadata: { name: "a", managedFields, labels: { x: "y" } }, data: { k: "v" } };
    const created = await client.call("POST", `${configMaps}?fieldManager=tool`, object);
    expect(created.body["metadata"]["managedFields"]).toEqual([
      {
        manager: "tool",
        operation: "Update",
        apiVersion: "v1",
        time: "2026-01-02T03:04:05Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:data": { ".": {}, "f:k": {} },
          "f:metadata": { "f:labels": { ".": {}, "f:x": {} } },
        },
      },
    ]);
    const clearing = { metadata: { managedFields: [{}] } };
    const cleared = await client.call("PATCH", `${configMaps}/a`, clearing);
    expect(cleared.body["metadata"]).not.toHaveProperty("managedFields");
  });

  test("MF-3: its fields are written in the order of the server from the first patch on", async () => {
    const { client } = setUp();
    const labels = { z: "1", a: "1" };
    await client.call("POST", configMaps, { metadata: { name: "a", labels }, data: { k: "v" } });
    const orderAfter = async (manager: string): Promise<readonly string[]> => {
      const path = `${configMaps}/a?fieldManager=${manager}`;
      const { body } = await client.call("PATCH", path, { data: { [manager]: "v" } });
      const entry = body["metadata"]["managedFields"].find(
        (one: { manager: string }) => one.manager === "unknown",
      );
      return Object.keys(entry.fieldsV1["f:metadata"]["f:labels"]);
    };
    expect(await orderAfter("one")).toEqual([".", "f:a", "f:z"]);
    expect(await orderAfter("two")).toEqual([".", "f:a", "f:z"]);
  });

  test("with generateName adds five characters, and a given name wins", async () => {
    const { client } = setUp();
    const metadata = { generateName: `${"x".repeat(70)}-` };
    const { body } = await client.call("POST", configMaps, { metadata });
    expect(body["metadata"]["name"]).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const named = { metadata: { ...metadata, name: "given" } };
    expect((await client.call("POST", configMaps, named)).body["metadata"]["name"]).toBe("given");
  });

  test.each([
    [{ metadata: { name: "a", labels: { x: 1 } } }, 400, "cannot unmarshal number"],
    [{ metadata: { name: "a", generation: 1.5 } }, 400, "into Go struct field"],
    [{ metadata: { name: "a", creationTimestamp: "now" } }, 400, 'parsing time \\"now\\"'],
    [{ metadata: { name: "a", namespace: "other" } }, 400, "does not match the namespace"],
    [{ metadata: { name: "a", resourceVersion: "5" } }, 500, "resourceVersion should not be set"],
    [{ metadata: {} }, 422, "name or generateName is required"],
    [{ kind: "Pod", metadata: { name: "a" } }, 400, "cannot be handled as a ConfigMap"],
    [{ apiVersion: "v2", metadata: { name: "a" } }, 400, "no kind"],
    [[], 400, "the object provided is unrecognized"],
  ])("of %j is refused with %i", async (object, code, why) => {
    const { client, server } = setUp();
    const before = server.control.revision;
    const { body, status } = await client.call("POST", configMaps, object);
    expect(status).toBe(code);
    expect(JSON.stringify(body["message"])).toContain(why);
    expect(server.control.revision).toBe(before);
  });

  test("reads YAML, and answers in YAML when asked", async () => {
    const { server } = setUp();
    const headers = { "content-type": "application/yaml", accept: "application/yaml" };
    const body = "metadata:\n  name: a\ndata:\n  x: '1'\n";
    const url = `http://localhost${configMaps}`;
    const response = await server.fetch(new Request(url, { method: "POST", headers, body }));
    expect(response.headers.get("content-type")).toBe("application/yaml");
    expect(await response.text()).toContain('data:\n  x: "1"\nkind: ConfigMap\n');
  });
});

describe("an update", () => {
  test("needs no version for kinds that can be overwritten, and one for others (API-1.12)", async () => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const overwrite = { metadata: { name: "a" }, data: { x: "1" } };
    expect((await client.call("PUT", `${configMaps}/a`, overwrite)).status).toBe(200);
    const lease = { metadata: { name: "l" }, spec: {} };
    expect((await client.call("PUT", `${leases}/l`, lease)).status).toBe(201);
    const again = await client.call("PUT", `${leases}/l`, lease);
    expect(again).toMatchObject({ status: 422, body: { details: { kind: "leases" } } });
  });

  test("of something else than was read is a conflict", async () => {
    const { client } = setUp();
    const { body } = await client.createConfigMap("a");
    await client.updateConfigMap("a", { x: "1" });
    const { body: refusal, status } = await client.call("PUT", `${configMaps}/a`, body);
    expect(status).toBe(409);
    expect(refusal).toMatchObject({
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test("counts changes of the spec in generation, and nothing else", async () => {
    const { client } = setUp();
    const spec = { ...workloadSpec, replicas: 1 };
    await client.call("POST", deployments, { metadata: { name: "d" }, spec });
    const patch = async (change: object, suffix = ""): Promise<unknown> => {
      const { body } = await client.call("PATCH", `${deployments}/d${suffix}`, change);
      return body["metadata"]["generation"];
    };
    expect(await patch({ metadata: { labels: { a: "b" } } })).toBe(1);
    expect(await patch({ status: { replicas: 3 } }, "/status")).toBe(1);
    expect(await patch({ spec: { replicas: 2 } })).toBe(2);
    expect(await patch({ spec: { replicas: 2 } })).toBe(2);
  });

  test.each([
    ["the annotations of a deployment", deployments, { metadata: { annotations: { a: "b" } } }, 2],
    [
      "the template of a pod template",
      podTemplates,
      { template: { metadata: { labels: { a: "b" } } } },
      2,
    ],
    ["the labels of an endpoint slice", slices, { metadata: { labels: { a: "b" } } }, 2],
    ["the annotations of an endpoint slice", slices, { metadata: { annotations: { a: "b" } } }, 1],
    ["webhooks", webhooks, { webhooks: [webhook] }, 2],
    ["a priority class", priorityClasses, { description: "d" }, 1],
  ])("counts, or does not count, changes of %s", async (_what, path, change, generation) => {
    const { client } = setUp();
    const fields = { addressType: "IPv4", value: 1, template: template(), spec: workloadSpec };
    await client.call("POST", path, { metadata: { name: "a" }, ...fields });
    const { body } = await client.call("PATCH", `${path}/a`, change);
    expect(body["metadata"]["generation"]).toBe(generation);
  });

  test("that changes nothing keeps the version (API-0.8)", async () => {
    const { client, server } = setUp();
    const { body } = await client.createConfigMap("a", { x: "1" });
    const before = server.control.revision;
    expect((await client.call("PUT", `${configMaps}/a`, body)).body).toEqual(body);
    expect(server.control.revision).toBe(before);
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

  test("MF-31: takes the status and metadata of a pod but for its owners", async () => {
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

  test("MF-31: does not take the labels of a deployment", async () => {
    const { client } = setUp();
    const metadata = { name: "d", labels: { x: "y" } };
    await client.call("POST", deployments, { metadata, spec: workloadSpec });
    const answer = await client.call("PATCH", `${deployments}/d/status`, change);
    expect(answer.body["metadata"]["labels"]).toEqual({ x: "y" });
    expect(answer.body["metadata"]["annotations"]).toEqual({ c: "d" });
    expect(Object(owns(answer))).not.toHaveProperty("f:labels");
  });

  test("MF-30: takes nothing but the status of an APIService", async () => {
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

describe("the scale subresource of a deployment", () => {
  test("shows and changes the replicas, and writes the selector as text", async () => {
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

describe("dryRun=All", () => {
  test("of a create takes an object with a version, which only the storage refuses", async () => {
    const { client } = setUp();
    const object = { metadata: { name: "a", resourceVersion: "5" } };
    const { status } = await client.call("POST", `${configMaps}?dryRun=All`, object);
    expect(status).toBe(201);
  });

  test("answers what would be and changes nothing", async () => {
    const { client, server } = setUp();
    await client.createConfigMap("a");
    const before = server.control.revision;
    const created = await client.call("POST", `${configMaps}?dryRun=All`, {
      metadata: { name: "b" },
    });
    expect(created.status).toBe(201);
    expect(created.body["metadata"]).not.toHaveProperty("resourceVersion");
    const deleted = await client.call("DELETE", `${configMaps}?dryRun=All`);
    expect(deleted.body["items"]).toHaveLength(1);
    expect((await client.get(configMaps)).body["items"]).toHaveLength(1);
    expect(server.control.revision).toBe(before);
  });
});

describe("methods and places that make no sense", () => {
  test.each([
    ["PUT", configMaps, 405],
    ["POST", `${configMaps}/a`, 405],
    ["POST", "/api/v1/configmaps", 405],
    ["GET", "/api/v1/configmaps/a", 404],
    ["GET", "/api/v1/namespaces/x/nodes", 404],
    ["GET", `${configMaps}/a/status`, 404],
    ["GET", `${configMaps}/a/nothing`, 404],
    ["GET", "/api/v1/nothings", 404],
    ["GET", "/apis/apps/v1/nothings", 404],
  ])("%s %s is a Status with %i", async (method, path, code) => {
    const { client } = setUp();
    const { body, status } = await client.call(method, path, method === "GET" ? undefined : {});
    expect(status).toBe(code);
    expect(body).toMatchObject({ kind: "Status", code } satisfies Json);
  });
});

describe("an object of another kind is refused (STR-1)", () => {
  test.each([
    ["v2", "ConfigMap", 'no kind "ConfigMap" is registered for version "v2" in scheme'],
    ["v1", "Foo", 'no kind "Foo" is registered for version "v1" in scheme'],
    ["v1", "Secret", "converting (v1.Secret) to (core.ConfigMap): unknown conversion"],
    ["apps/v1", "Deployment", "converting (v1.Deployment) to (core.ConfigMap): unknown conversion"],
  ])("%s %s: %s", async (apiVersion, kind, problem) => {
    const { client } = setUp();
    const { body, status } = await client.call("POST", configMaps, {
      ...{ apiVersion, kind },
      metadata: { name: "a" },
    });
    expect(status).toBe(400);
    const version = apiVersion.split("/").at(-1);
    const start = `${kind} in version "${version}" cannot be handled as a ConfigMap: `;
    expect(body["message"]).toContain(start + problem);
  });
});
