// Manifests of real projects that were once stored otherwise than by a real server.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

async function create(client: ApiClient, path: string, object: object) {
  return client.call("POST", path, { metadata: { name: "one" }, ...object });
}

const container = { name: "c", image: "registry.example/c" };
const batch = "/apis/batch/v1/namespaces/default/jobs";
const webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const policies = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
const bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

test("a job with the labels of its template keeps them, one without gets those of its pods", async () => {
  const client = new ApiClient(new FakeApiServer());
  const labels = { app: "once" };
  const spec = {
    template: { metadata: { labels }, spec: { restartPolicy: "Never", containers: [container] } },
  };
  const own = await create(client, batch, { metadata: { name: "own", labels }, spec });
  expect(own.body["metadata"].labels).toEqual(labels);
  const none = await create(client, batch, { spec });
  expect(none.body["metadata"].labels).toMatchObject({ ...labels, "job-name": "one" });
});

test("ports of the host's network are filled in for pods, not for templates", async () => {
  const client = new ApiClient(new FakeApiServer());
  const spec = {
    hostNetwork: true,
    containers: [{ ...container, ports: [{ containerPort: 9100 }] }],
  };
  const selector = { matchLabels: { app: "a" } };
  const template = { metadata: { labels: { app: "a" } }, spec };
  const set = await create(client, "/apis/apps/v1/namespaces/default/daemonsets", {
    spec: { selector, template },
  });
  const [ofTemplate] = set.body["spec"].template.spec.containers;
  expect(ofTemplate.ports).toEqual([{ containerPort: 9100, protocol: "TCP" }]);
  const pod = await create(client, "/api/v1/namespaces/default/pods", { spec });
  const [ofPod] = pod.body["spec"].containers;
  expect(ofPod.ports).toEqual([{ containerPort: 9100, hostPort: 9100, protocol: "TCP" }]);
});

test("a request for devices asks for one of them", async () => {
  const client = new ApiClient(new FakeApiServer());
  const requests = [
    { name: "a", exactly: { deviceClassName: "gpu.example" } },
    { name: "b", firstAvailable: [{ name: "c", deviceClassName: "gpu.example" }] },
    { name: "d", exactly: { deviceClassName: "gpu.example", allocationMode: "All" } },
  ];
  const path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";
  const { body } = await create(client, path, { spec: { spec: { devices: { requests } } } });
  const one = { deviceClassName: "gpu.example", allocationMode: "ExactCount", count: 1 };
  expect(body["spec"].spec.devices.requests).toEqual([
    { name: "a", exactly: one },
    { name: "b", firstAvailable: [{ name: "c", ...one }] },
    { name: "d", exactly: { deviceClassName: "gpu.example", allocationMode: "All" } },
  ]);
});

test("a Secret for TLS whose block is not base64 is stored with a warning", async () => {
  const client = new ApiClient(new FakeApiServer());
  const block = (type: string) => `-----BEGIN ${type}-----\nput it here\n-----END ${type}-----\n`;
  const { headers } = await create(client, "/api/v1/namespaces/default/secrets", {
    type: "kubernetes.io/tls",
    stringData: { "tls.crt": block("CERTIFICATE"), "tls.key": block("PRIVATE KEY") },
  });
  expect(headers.get("warning")).toContain("failed to find any PEM data in certificate input");
});

test("an empty caBundle is left out", async () => {
  const client = new ApiClient(new FakeApiServer());
  const service = { name: "check", namespace: "default" };
  const { body } = await create(client, webhooks, {
    webhooks: [
      {
        name: "check.plants.example",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { caBundle: "", service },
      },
    ],
  });
  expect(body["webhooks"][0].clientConfig).toEqual({ service: { ...service, port: 443 } });
});

test("a custom object without a status has the default of its schema", async () => {
  const client = new ApiClient(new FakeApiServer());
  const status = { type: "object", default: { phase: "Waiting" }, properties: {} };
  const properties = { status: { ...status, properties: { phase: { type: "string" } } } };
  await create(client, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "kettles.kitchen.example" },
    spec: {
      group: "kitchen.example",
      scope: "Cluster",
      names: { kind: "Kettle", plural: "kettles" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties } },
        },
      ],
    },
  });
  const path = "/apis/kitchen.example/v1/kettles";
  const kettle = { apiVersion: "kitchen.example/v1", kind: "Kettle", status: { phase: "Sent" } };
  expect((await create(client, path, kettle)).body["status"]).toEqual({ phase: "Waiting" });
  expect((await client.get(`${path}/one`)).body["status"]).toEqual({ phase: "Waiting" });
});

test("keys of items in managedFields are escaped as by Go", async () => {
  const client = new ApiClient(new FakeApiServer());
  const env = [{ name: "<&>" }];
  const { body } = await create(client, "/api/v1/namespaces/default/pods", {
    spec: { containers: [{ ...container, env }] },
  });
  const [entry] = body["metadata"].managedFields;
  const owned = entry.fieldsV1["f:spec"]["f:containers"]['k:{"name":"c"}']["f:env"];
  expect(Object.keys(owned)).toContain(String.raw`k:{"name":"\u003c\u0026\u003e"}`);
});

test("admission policies and their bindings have columns", async () => {
  const client = new ApiClient(new FakeApiServer());
  const paramKind = { apiVersion: "rules.example/v1", kind: "Limit" };
  const expression = 'Object{metadata: Object.metadata{labels: {"a": "b"}}}';
  const spec = {
    paramKind,
    reinvocationPolicy: "Never",
    matchConstraints: {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
      ],
    },
    mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
  };
  expect((await create(client, policies, { spec })).status).toBe(201);
  const paramRef = { name: "small", namespace: "a", parameterNotFoundAction: "Deny" };
  const validationActions = ["Deny"];
  const binding = { spec: { policyName: "one", paramRef, validationActions } };
  expect((await create(client, bindings, binding)).status).toBe(201);
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const rowOf = async (path: string): Promise<unknown[]> => {
    const { body } = await client.call("GET", path, undefined, { headers: { accept } });
    return body["rows"][0].cells.slice(0, -1);
  };
  expect(await rowOf(policies)).toEqual(["one", 1, "rules.example/v1/Limit"]);
  expect(await rowOf(bindings)).toEqual(["one", "one", "a/small"]);
});
