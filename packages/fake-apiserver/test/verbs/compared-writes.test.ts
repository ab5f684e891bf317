// Answers of a real server to writes that `npm run test:cluster -- writes` has drawn.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

const core = "/api/v1/namespaces/default";
const apps = "/apis/apps/v1/namespaces/default";
const merge = typed("application/merge-patch+json");
const strategic = typed("application/strategic-merge-patch+json");
const apply = typed("application/apply-patch+yaml");

function typed(type: string): RequestInit {
  return { headers: { "content-type": type } };
}

function clientOf(): ApiClient {
  return new ApiClient(new FakeApiServer());
}

const template = {
  metadata: { labels: { a: "a" } },
  spec: { containers: [{ name: "a", image: "a" }] },
};
const workload = { selector: { matchLabels: { a: "a" } }, template };

async function created(client: ApiClient, path: string, object: Json): Promise<Json> {
  const { body, status } = await client.call("POST", path, { metadata: { name: "a" }, ...object });
  expect([body["message"], status]).toEqual([undefined, 201]);
  return body;
}

test("a strategic patch converts integers without a look at their size", async () => {
  const client = clientOf();
  await created(client, `${apps}/deployments`, { spec: workload });
  const path = `${apps}/deployments/a`;
  const { body } = await client.call("PATCH", path, { spec: { replicas: 4e9 } }, strategic);
  expect(body["message"]).toBe(
    'Deployment.apps "a" is invalid: spec.replicas: Invalid value: -294967296: must be greater than or equal to 0',
  );
});

test("a strategic patch says what its bytes are decoded from", async () => {
  const client = clientOf();
  await created(client, `${core}/secrets`, { data: { a: "YQ==" } });
  const { body } = await client.call("PATCH", `${core}/secrets/a`, { data: { a: "?" } }, strategic);
  expect(body["message"]).toMatch(/: error decoding from json: illegal base64 data at/);
});

test("the status of a CSINode takes no labels", async () => {
  const client = clientOf();
  const path = "/apis/storage.k8s.io/v1/csinodes";
  await created(client, path, { spec: { drivers: [] } });
  const patch = {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSINode",
    metadata: { name: "a", labels: { a: "b" } },
  };
  const { body } = await client.call("PATCH", `${path}/a/status?fieldManager=b`, patch, apply);
  expect([body["kind"], body["metadata"].labels]).toEqual(["CSINode", undefined]);
});

test("the creator of a device taint owns its time", async () => {
  const path = "/apis/resource.k8s.io/v1/devicetaintrules";
  const taint = { key: "example.net/a", effect: "NoSchedule" };
  const { metadata } = await created(clientOf(), path, { spec: { taint } });
  expect(metadata.managedFields[0].fieldsV1["f:spec"]["f:taint"]).toEqual({
    "f:effect": {},
    "f:key": {},
    "f:timeAdded": {},
  });
});

test("a write of a status has no warnings of the spec", async () => {
  const client = clientOf();
  const spec = { ports: [{ port: 80 }], trafficDistribution: "PreferClose" };
  await created(client, `${core}/services`, { spec });
  const answer = await client.call("PATCH", `${core}/services/a/status`, { status: {} });
  expect([answer.status, answer.headers.get("warning")]).toEqual([200, null]);
});

test("a strategy of a StatefulSet that has a type gets no rolling update", async () => {
  const client = clientOf();
  const rolling = { ...workload, updateStrategy: { type: "RollingUpdate" } };
  const { spec } = await created(client, `${apps}/statefulsets`, { spec: rolling });
  expect(spec.updateStrategy).toEqual({ type: "RollingUpdate" });
  const patch = { spec: { updateStrategy: { type: "other", rollingUpdate: { partition: 1 } } } };
  const { body } = await client.call("PATCH", `${apps}/statefulsets/a`, patch);
  expect(body["message"]).toBe(
    `StatefulSet.apps "a" is invalid: spec.updateStrategy: Invalid value: {"Type":"other","RollingUpdate":{"Partition":1,"MaxUnavailable":null}}: must be 'RollingUpdate' or 'OnDelete'`,
  );
});

test.each([
  ["merge patch", merge, 422, /: strconv\.ParseInt: parsing "x": invalid syntax$/],
  ["strategic patch", strategic, 500, /^strconv\.ParseInt: parsing "x": invalid syntax$/],
])(
  "the generation of a DaemonSet's template is a number, in a %s",
  async (_, type, code, message) => {
    const client = clientOf();
    await created(client, `${apps}/daemonsets`, { spec: workload });
    const annotations = { "deprecated.daemonset.template.generation": "x" };
    const patch = { metadata: { annotations } };
    const { body, status } = await client.call("PATCH", `${apps}/daemonsets/a`, patch, type);
    expect(status).toBe(code);
    expect(body["message"]).toMatch(message);
  },
);

test("an apply of another object of an event conflicts", async () => {
  const client = clientOf();
  const path = "/apis/events.k8s.io/v1/namespaces/default/events";
  const event = {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: "a", namespace: "default" },
    eventTime: "2020-01-01T00:00:00.123456Z",
    reportingController: "example.com/a",
    reportingInstance: "a",
    action: "a",
    reason: "a",
    regarding: { kind: "Pod", namespace: "default", name: "a" },
    type: "Normal",
  };
  await created(client, path, event);
  const other = { ...event, regarding: { ...event.regarding, name: "b" } };
  const { body } = await client.call("PATCH", `${path}/a?fieldManager=b`, other, apply);
  expect(body["message"]).toMatch(/^Apply failed with 1 conflict: .*: \.regarding$/);
});

test("the health check of a service stays", async () => {
  const client = clientOf();
  const spec = { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: [{ port: 80 }] };
  await created(client, `${core}/services`, { spec });
  const patch = { spec: { healthCheckNodePort: 32_100 } };
  const { body } = await client.call("PATCH", `${core}/services/a`, patch);
  expect(body["message"]).toBe(
    'Service "a" is invalid: spec.healthCheckNodePort: Forbidden: field is immutable',
  );
});

test("a service has one address of a family", async () => {
  const clusterIPs = ["10.0.0.5", "10.0.0.6"];
  const spec = { clusterIP: "10.0.0.5", clusterIPs, ports: [{ port: 80 }] };
  const { body } = await clientOf().call("POST", `${core}/services`, {
    metadata: { name: "a" },
    spec,
  });
  expect(body["message"]).toBe(
    'Service "a" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.5","10.0.0.6"]: may specify no more than one IP for each IP family',
  );
});

interface Port {
  readonly name: string;
  readonly nodePort: number;
}

test("ports of one number get one node port, which their names keep", async () => {
  const client = clientOf();
  const ports = [
    { name: "tcp", protocol: "TCP", port: 53 },
    { name: "udp", protocol: "UDP", port: 53 },
    { name: "web", protocol: "TCP", port: 80, nodePort: 30_000 },
  ];
  const { spec } = await created(client, `${core}/services`, { spec: { type: "NodePort", ports } });
  const first = (spec.ports as readonly Port[]).map(({ nodePort }) => nodePort);
  expect(first).toEqual([30_001, 30_001, 30_000]);
  const moved = [
    { name: "web", port: 81 },
    { name: "tcp", port: 54 },
  ];
  const { body } = await client.call("PATCH", `${core}/services/a`, { spec: { ports: moved } });
  const later = (body["spec"].ports as readonly Port[]).map(({ nodePort }) => nodePort);
  expect(later).toEqual([30_000, 30_001]);
});

test("an update with a node port twice is refused before it is checked", async () => {
  const client = clientOf();
  await created(client, `${core}/services`, { spec: { type: "NodePort", ports: [{ port: 80 }] } });
  const ports = [
    { port: 80, nodePort: 30_000 },
    { port: 81, nodePort: 30_000 },
  ];
  const { body, status } = await client.call("PATCH", `${core}/services/a`, { spec: { ports } });
  expect([status, body["message"]]).toEqual([500, "duplicate nodePort: {TCP 30000}"]);
});

test("no other service gets the port of a health check", async () => {
  const client = clientOf();
  const balanced = { type: "LoadBalancer", externalTrafficPolicy: "Local", ports: [{ port: 80 }] };
  const first = await created(client, `${core}/services`, { spec: balanced });
  expect([first["spec"].ports[0].nodePort, first["spec"].healthCheckNodePort]).toEqual([
    30_000, 30_001,
  ]);
  const second = { metadata: { name: "b" }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
  const { body } = await client.call("POST", `${core}/services`, second);
  expect(body["spec"].ports[0].nodePort).toBe(30_002);
});

test("a pod needs a policy of preemption, and names for its conditions", async () => {
  const client = clientOf();
  await created(client, `${core}/pods`, { spec: template.spec });
  const patch = { spec: { preemptionPolicy: "" } };
  const changed = await client.call("PATCH", `${core}/pods/a`, patch);
  expect(changed.body["message"]).toMatch(/ \[?spec\.preemptionPolicy: Required value/);
  const status = { status: { conditions: [{ status: "True" }] } };
  const conditions = await client.call("PATCH", `${core}/pods/a/status`, status);
  expect(conditions.body["message"]).toMatch(
    / \[?status\.conditions\[0\]\.Type: Invalid value: ""/,
  );
});

test("an unchanged pod template has no warnings", async () => {
  const client = clientOf();
  const negative = { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } };
  await created(client, `${core}/podtemplates`, { template: negative });
  const patch = { metadata: { labels: { a: "b" } } };
  const answer = await client.call("PATCH", `${core}/podtemplates/a`, patch);
  expect([answer.status, answer.headers.get("warning")]).toEqual([200, null]);
});

test("a Scale of zero owns no number, and one without an owner stays untracked", async () => {
  const client = clientOf();
  await created(client, `${apps}/deployments`, { spec: { ...workload, replicas: 2 } });
  const owners: (readonly string[])[] = [];
  for (const replicas of [5, 0, 3]) {
    await client.call("PATCH", `${apps}/deployments/a/scale`, { spec: { replicas } });
    const { body } = await client.get(`${apps}/deployments/a`);
    const entries = body["metadata"].managedFields as readonly Json[];
    const owning = entries.filter(({ fieldsV1 }) => "f:replicas" in fieldsV1["f:spec"]);
    owners.push(owning.map(({ subresource }) => subresource as string));
  }
  expect(owners).toEqual([["scale"], [], []]);
});

test("an event is deleted at once, whatever a delete says of its dependents", async () => {
  const client = clientOf();
  const involvedObject = { kind: "Pod", namespace: "default", name: "a" };
  await created(client, `${core}/events`, { involvedObject, reason: "a" });
  const options = { propagationPolicy: "Foreground" };
  const { body } = await client.call("DELETE", `${core}/events/a`, options);
  expect([body["kind"], body["status"]]).toEqual(["Status", "Success"]);
});

test("a namespace compares versions in other words than the rest", async () => {
  const client = clientOf();
  await created(client, "/api/v1/namespaces", {});
  const options = { preconditions: { resourceVersion: "1" } };
  const { body } = await client.call("DELETE", "/api/v1/namespaces/a", options);
  expect(body["message"]).toMatch(
    /^Operation cannot be fulfilled on namespaces "a": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: \d+$/,
  );
});

test("another kind in a claim of a StatefulSet is not refused", async () => {
  const client = clientOf();
  const claim = {
    metadata: { name: "a" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const spec = { ...workload, volumeClaimTemplates: [claim] };
  await created(client, `${apps}/statefulsets`, { spec });
  const patch = { spec: { volumeClaimTemplates: [{ ...claim, kind: "other" }] } };
  const { body } = await client.call("PATCH", `${apps}/statefulsets/a`, patch);
  expect(body["spec"].volumeClaimTemplates[0].kind).toBe("PersistentVolumeClaim");
});

test("a changed ReplicationController has the warnings of its old template", async () => {
  const client = clientOf();
  const negative = { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } };
  const path = `${core}/replicationcontrollers`;
  await created(client, path, { spec: { selector: { a: "a" }, template: negative } });
  const warnings: (string | null)[] = [];
  for (const terminationGracePeriodSeconds of [1, -1]) {
    const patch = { spec: { template: { spec: { terminationGracePeriodSeconds } } } };
    warnings.push((await client.call("PATCH", `${path}/a`, patch)).headers.get("warning"));
  }
  expect(warnings).toEqual([expect.stringContaining("negative values are invalid"), null]);
});

test("parameters of devices are an object", async () => {
  const opaque = { driver: "example.com", parameters: "a" };
  const { body } = await clientOf().call("POST", "/apis/resource.k8s.io/v1/deviceclasses", {
    metadata: { name: "a" },
    spec: { config: [{ opaque }] },
  });
  expect(body["message"]).toBe(
    'DeviceClass.resource.k8s.io "a" is invalid: spec.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
  );
});

test("data of devices in a claim are an object", async () => {
  const client = clientOf();
  const path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  const exactly = { deviceClassName: "a" };
  await created(client, path, { spec: { devices: { requests: [{ name: "a", exactly }] } } });
  const devices = [{ driver: "a", pool: "a", device: "a", data: 1 }];
  const { body } = await client.call("PATCH", `${path}/a/status`, { status: { devices } });
  expect(body["message"]).toContain("status.devices[0].data: Invalid value");
});
