// Members that a server drops or writes, by kind. The creates are recorded in
// conformance/fidelity/recordings/kinds.json; these are updates and reviews.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

const rules = "/apis/resource.k8s.io/v1/devicetaintrules";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

function clientOf(server = new FakeApiServer()): ApiClient {
  return new ApiClient(server);
}

test("a device taint counts from its last change of effect", async () => {
  const clock = new ManualClock();
  const client = clientOf(new FakeApiServer({ clock }));
  const taint = { key: "example.net/a", effect: "NoSchedule" };
  const created = await client.call("POST", rules, { metadata: { name: "a" }, spec: { taint } });
  expect(created.body["metadata"].generation).toBe(1);
  const { timeAdded } = created.body["spec"].taint as Json;
  await clock.advance(60_000);
  const same = await client.call("PATCH", `${rules}/a`, { spec: { taint: { value: "b" } } });
  expect(same.body["spec"].taint.timeAdded).toBe(timeAdded);
  const other = await client.call("PATCH", `${rules}/a`, {
    spec: { taint: { effect: "NoExecute" } },
  });
  expect(Date.parse(other.body["spec"].taint.timeAdded)).toBe(Date.parse(timeAdded) + 60_000);
  expect(other.body["metadata"].generation).toBe(3);
});

test("a device taint needs a key and a known effect", async () => {
  const bad = { taint: { key: "", effect: "Never" }, deviceSelector: { pool: "A" } };
  const { body, status } = await clientOf().call("POST", rules, {
    metadata: { name: "a" },
    spec: bad,
  });
  expect(status).toBe(422);
  const fields = body["details"].causes.map(({ field }: Json) => field as string);
  expect(new Set(fields)).toEqual(
    new Set(["spec.deviceSelector.pool", "spec.taint.key", "spec.taint.effect"]),
  );
});

test("a service account keeps only the names of its secrets", async () => {
  const path = "/api/v1/namespaces/default/serviceaccounts";
  const client = clientOf();
  await client.call("POST", path, { metadata: { name: "a" } });
  const secrets = [{ name: "s", kind: "Secret", uid: "1" }];
  const { body } = await client.call("PATCH", `${path}/a`, { secrets });
  expect(body["secrets"]).toEqual([{ name: "s" }]);
});

test("the old topology of an endpoint is not stored", async () => {
  const client = clientOf();
  const deprecatedTopology = { "kubernetes.io/hostname": "node-a" };
  const endpoints = [{ addresses: ["192.0.2.1"], deprecatedTopology }];
  const { body } = await client.call("POST", slices, {
    metadata: { name: "a" },
    addressType: "IPv4",
    endpoints,
    ports: [],
  });
  expect(body["endpoints"]).toEqual([{ addresses: ["192.0.2.1"], conditions: {} }]);
  const changed = await client.call("PUT", `${slices}/a`, { ...body, endpoints });
  expect(changed.body["endpoints"]).toEqual(body["endpoints"]);
  expect(changed.body["metadata"].generation).toBe(2);
});

test("a limit range gets a name", async () => {
  const path = "/api/v1/namespaces/default/limitranges";
  const { body } = await clientOf().call("POST", path, { spec: { limits: [] } });
  expect(body["metadata"].name).toMatch(/^[\da-f-]{36}$/);
});

test("an empty policy of a storage class gets no default", async () => {
  const path = "/apis/storage.k8s.io/v1/storageclasses";
  const fields = { metadata: { name: "a" }, provisioner: "a", reclaimPolicy: "" };
  const { body } = await clientOf().call("POST", path, fields);
  expect([body["reclaimPolicy"], body["volumeBindingMode"]]).toEqual(["", "Immediate"]);
});

test("an autoscaler is refused for an empty list of policies", async () => {
  const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const spec = {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    maxReplicas: 2,
    behavior: { scaleUp: { policies: [] } },
  };
  const { body, status } = await clientOf().call("POST", path, { metadata: { name: "a" }, spec });
  expect([status, body["message"]]).toEqual([
    422,
    'HorizontalPodAutoscaler.autoscaling "a" is invalid: spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
  ]);
});

test("a namespace keeps repeated finalizers", async () => {
  const { body } = await clientOf().call("POST", "/api/v1/namespaces", {
    metadata: { name: "a" },
    spec: { finalizers: ["example.net/a", "example.net/a"] },
  });
  expect(body["spec"].finalizers).toEqual(["example.net/a", "example.net/a", "kubernetes"]);
});

test("a claim from another namespace gets no source", async () => {
  const source = { apiGroup: "example.net", kind: "Copy", name: "a" };
  const { body } = await clientOf().call(
    "POST",
    "/api/v1/namespaces/default/persistentvolumeclaims",
    {
      metadata: { name: "a" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1" } },
        dataSourceRef: { ...source, namespace: "other" },
      },
    },
  );
  expect(body["spec"].dataSourceRef).toBeUndefined();
  expect(body["spec"].dataSource).toBeUndefined();
});

test("an access review names selectors that are partly unusable", async () => {
  const requirements = [
    { key: "a", operator: "Exists" },
    { key: "b", operator: "In" },
  ];
  const { body } = await clientOf().call(
    "POST",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    {
      spec: {
        resourceAttributes: { verb: "list", resource: "pods", labelSelector: { requirements } },
      },
    },
  );
  expect(body["status"].evaluationError).toBe(
    "spec.resourceAttributes.labelSelector partially ignored due to parse error",
  );
});
