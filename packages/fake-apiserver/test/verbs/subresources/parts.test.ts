import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { podOf, pods } from "../../support/pods.ts";

const pemRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KQUFBQQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";

const debug = { name: "debug", image: "busybox", targetContainerName: "main" };
const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

async function withPod(spec: object = {}, options: FakeApiServerOptions = {}) {
  const client = new ApiClient(new FakeApiServer({ seed: 1, ...options }));
  await client.call("POST", pods, podOf("web", spec));
  const change = (part: string, changed: object) =>
    client.call("PATCH", `${pods}/web/${part}`, { spec: changed });
  return { change, client };
}

async function withRequest() {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const spec = { request: pemRequest, signerName: "example.com/signer", usages: ["client auth"] };
  await client.call("POST", requests, { metadata: { name: "r" }, spec });
  const decide = (types: readonly string[]) =>
    client.call("PATCH", `${requests}/r/approval`, {
      status: { conditions: types.map((type) => ({ type, status: "True", reason: "Tested" })) },
    });
  return { client, decide };
}

describe("ephemeral containers of a pod", () => {
  test("are added, and other changes are rejected (SUB-7)", async () => {
    const { change, client } = await withPod();
    const changed = { ephemeralContainers: [debug], nodeName: "n1" };
    const { body, status } = await change("ephemeralcontainers", changed);
    expect(status).toBe(200);
    expect(body["spec"]["ephemeralContainers"]).toMatchObject([debug]);
    expect(body["spec"]).not.toHaveProperty("nodeName");
    expect(body["metadata"]["generation"]).toBe(2);
    expect((await client.get(`${pods}/web/ephemeralcontainers`)).body).toEqual(body);
  });

  test.each([
    [{ name: "debug" }, "image", "Required value"],
    [{ ...debug, name: "main" }, "name", 'Duplicate value: "main"'],
    [{ ...debug, targetContainerName: "x" }, "targetContainerName", 'Not found: "x"'],
    [
      { ...debug, ports: [{ containerPort: 80 }] },
      "ports",
      "Forbidden: cannot be set for an Ephemeral Container",
    ],
    [
      { ...debug, resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }] },
      "resizePolicy",
      "Forbidden: cannot be set for an Ephemeral Container",
    ],
    [
      { ...debug, volumeMounts: [{ name: "v", mountPath: "/v", subPath: "s" }] },
      "volumeMounts[0].subPath",
      "Forbidden: cannot be set for an Ephemeral Container",
    ],
    [
      { ...debug, volumeMounts: [{ name: "v", mountPath: "/v", subPathExpr: "$(X)" }] },
      "volumeMounts[0].subPathExpr",
      "Forbidden: cannot be set for an Ephemeral Container",
    ],
  ])("must be valid: %j (SUB-7)", async (container, field, message) => {
    const { change } = await withPod({ volumes: [{ name: "v", emptyDir: {} }] });
    const { body, status } = await change("ephemeralcontainers", {
      ephemeralContainers: [container],
    });
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toMatchObject([
      { field: `spec.ephemeralContainers[0].${field}`, message },
    ]);
  });

  test("may be anything on a server without validation (SUB-7)", async () => {
    const { change } = await withPod({}, { validation: "off" });
    const changed = { ephemeralContainers: [{ name: "debug" }] };
    expect((await change("ephemeralcontainers", changed)).status).toBe(200);
  });

  test("are immutable once they exist (SUB-7)", async () => {
    const { change } = await withPod();
    await change("ephemeralcontainers", { ephemeralContainers: [debug] });
    const changed = { ephemeralContainers: [{ ...debug, image: "other" }] };
    for (const [spec, verb] of [
      [changed, "changed"],
      [{ ephemeralContainers: null }, "removed"],
    ] as const) {
      const { body, status } = await change("ephemeralcontainers", spec);
      expect(status).toBe(422);
      expect(body["details"]["causes"][0]["message"]).toContain(
        `Forbidden: existing ephemeral containers "debug" may not be ${verb}\n`,
      );
    }
  });
});

describe("a resize of a pod", () => {
  const containers = (cpu: string) => [
    { name: "main", image: "example", resources: { requests: { cpu } } },
  ];

  test("accepts only the resources of containers (SUB-8)", async () => {
    const { change } = await withPod({ containers: containers("100m") });
    const [main] = containers("200m");
    const { body, status } = await change("resize", { containers: [{ ...main, image: "other" }] });
    expect(status).toBe(200);
    expect(body["spec"]["containers"][0]).toMatchObject({
      image: "example",
      resources: { requests: { cpu: "200m" } },
    });
    expect(body["metadata"]["generation"]).toBe(2);
  });

  test("removes nothing and keeps the QoS class of the pod (SUB-8)", async () => {
    const limited = { limits: { cpu: "1" }, requests: { cpu: "100m" } };
    const [main] = containers("100m");
    const { change } = await withPod({ containers: [{ ...main, resources: limited }] });
    const bare = await change("resize", { containers: [{ name: "main", image: "example" }] });
    expect(bare.status).toBe(422);
    expect(bare.body["details"]["causes"]).toMatchObject([
      {
        field: "spec.containers[0].resources.requests",
        message: "Forbidden: resource requests cannot be removed",
      },
      {
        field: "spec.containers[0].resources.limits",
        message: "Forbidden: resource limits cannot be removed",
      },
      {
        field: "spec",
        message:
          'Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
      },
    ]);
  });

  test.each([
    [
      { limits: { cpu: "1" }, requests: { cpu: "2" } },
      "spec.containers[0].resources.requests",
      'Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      { requests: { cpu: "100m", "ephemeral-storage": "1Gi" } },
      "spec",
      "Forbidden: only cpu and memory resources are mutable",
    ],
  ])("is validated by the rules for resources: %j (SUB-8)", async (resources, field, message) => {
    const { change } = await withPod({ containers: containers("100m") });
    const [main] = containers("100m");
    const { body, status } = await change("resize", { containers: [{ ...main, resources }] });
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toMatchObject([{ field, message }]);
  });

  test("requires a node for the pod (SUB-8)", async () => {
    const { change, client } = await withPod({ nodeName: "n2", containers: containers("100m") });
    const refused = await change("resize", { containers: containers("200m") });
    expect(refused.status).toBe(403);
    expect(refused.body["message"]).toBe('pods "web" is forbidden: node "n2" not found');
    await client.call("POST", "/api/v1/nodes", { metadata: { name: "n2" } });
    expect((await change("resize", { containers: containers("200m") })).status).toBe(200);
  });
});

describe("the approval of a certificate request", () => {
  test("accepts conditions and adds their times (SUB-6)", async () => {
    const { client, decide } = await withRequest();
    const { body, status } = await decide(["Approved"]);
    expect(status).toBe(200);
    const [condition] = body["status"]["conditions"];
    expect(condition).toMatchObject({ type: "Approved", reason: "Tested" });
    expect(condition["lastUpdateTime"]).toBe(condition["lastTransitionTime"]);
    const status2 = { certificate: btoa("-----BEGIN CERTIFICATE-----") };
    const issued = await client.call("PATCH", `${requests}/r/status`, { status: status2 });
    expect(issued.body["status"]).toMatchObject({
      conditions: [{ type: "Approved" }],
      certificate: status2.certificate,
    });
  });

  test("is either an approval or a denial, and is immutable (SUB-6)", async () => {
    const { decide } = await withRequest();
    const both = await decide(["Approved", "Denied"]);
    expect(both.body["details"]["causes"]).toMatchObject([
      {
        field: "status.conditions",
        message: 'Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
      },
    ]);
    await decide(["Denied"]);
    const taken = await decide([]);
    expect(taken.body["details"]["causes"]).toMatchObject([
      {
        field: "status.conditions",
        message: 'Forbidden: updates may not remove a condition of type "Denied"',
      },
    ]);
  });

  test("does not change the request, and a status requires a certificate (SUB-6)", async () => {
    const { client } = await withRequest();
    const patched = await client.call("PATCH", `${requests}/r`, { spec: { usages: ["any"] } });
    expect(patched.body["spec"]["usages"]).toEqual(["client auth"]);
    const status = { certificate: "eA==" };
    const refused = await client.call("PATCH", `${requests}/r/status`, { status });
    expect(refused.body["details"]["causes"]).toMatchObject([
      {
        field: "status.certificate",
        message:
          'Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
      },
    ]);
  });
});

describe("the finalizers of a namespace", () => {
  test("keep it until the last is removed (SUB-5)", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1, namespaceDeletion: "never" }));
    const path = "/api/v1/namespaces/team";
    await client.call("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
    const { body } = await client.call("DELETE", path);
    await client.call("PATCH", path, { metadata: { labels: { a: "b" } } });
    expect((await client.get(path)).body["status"]["phase"]).toBe("Terminating");
    const finalize = (finalizers: readonly string[]) =>
      client.call("PUT", `${path}/finalize`, {
        metadata: { name: "team", uid: body["metadata"]["uid"] },
        spec: { finalizers },
      });
    expect((await finalize(["example.com/own"])).body["spec"]["finalizers"]).toEqual([
      "example.com/own",
    ]);
    const last = await finalize([]);
    expect(last).toMatchObject({ status: 200, body: { kind: "Namespace", spec: {} } });
    expect((await client.get(path)).status).toBe(404);
    expect((await client.get(`${path}/finalize`)).status).toBe(405);
  });
});

test("user-supplied finalizers also keep an empty namespace (SUB-5)", async () => {
  const server = new FakeApiServer({ seed: 1 });
  const client = new ApiClient(server);
  const path = "/api/v1/namespaces/team";
  const finalizers = ["example.com/own", "example.com/other"];
  await client.call("POST", "/api/v1/namespaces", {
    metadata: { name: "team" },
    spec: { finalizers },
  });
  await client.call("DELETE", path);
  expect((await client.get(path)).body["spec"]).toEqual({ finalizers });
  const { revision } = server.control;
  const finalize = (kept: readonly string[]) =>
    client.call("PUT", `${path}/finalize`, {
      metadata: { name: "team" },
      spec: { finalizers: kept },
    });
  expect((await finalize(["example.com/own"])).status).toBe(200);
  expect((await client.get(path)).body["spec"]).toEqual({ finalizers: ["example.com/own"] });
  expect(server.control.revision).toBe(revision + 1);
  expect((await finalize([])).status).toBe(200);
  expect((await client.get(path)).status).toBe(404);
});

describe("a subresource that a kind does not have", () => {
  test.each(["configmaps/x/status", "configmaps/x/scale", "pods/x/nonsense", "pods/x/log/more"])(
    "such as %s is 404 without a name (SUB-11)",
    async (path) => {
      const client = new ApiClient(new FakeApiServer({ seed: 1 }));
      const { body, status } = await client.get(`/api/v1/namespaces/default/${path}`);
      expect(status).toBe(404);
      expect(body["message"]).toBe("the server could not find the requested resource");
      expect(body["details"]).toEqual({});
    },
  );

  test("of a collection of namespaces cannot be deleted", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    expect((await client.call("DELETE", "/api/v1/namespaces")).status).toBe(405);
  });
});
