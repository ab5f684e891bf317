// Fields that the server adds to new objects, and their owners.
import { type AdmissionPlugin, FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { isLatestImage } from "../../src/kinds/defaults/image.ts";
import { ApiClient } from "../support/api-client.ts";
import { claimSpec, podSpec, volumeSpec, workloadSpec } from "../support/valid-specs.ts";

function createClient(): ApiClient {
  return new ApiClient(new FakeApiServer());
}

async function create(path: string, fields: object): Promise<any> {
  const { body } = await createClient().call("POST", path, { metadata: { name: "a" }, ...fields });
  return body;
}

const apps = "/apis/apps/v1/namespaces/default";
const pods = "/api/v1/namespaces/default/pods";

describe("owners of new objects (MF-28)", () => {
  test("own no field that is serialized although it is unset", async () => {
    const set = await create(`${apps}/statefulsets`, { spec: workloadSpec });
    expect(set.spec.serviceName).toBe("");
    expect(set.metadata.managedFields[0].fieldsV1["f:spec"]).not.toHaveProperty("f:serviceName");
  });

  test("own the members of an object that only this field makes granular", async () => {
    const spec = { ...volumeSpec, claimRef: { namespace: "n", name: "c" } };
    const volume = await create("/api/v1/persistentvolumes", { spec });
    expect(volume.metadata.managedFields[0].fieldsV1["f:spec"]["f:claimRef"]).toEqual({
      ".": {},
      "f:name": {},
      "f:namespace": {},
    });
  });

  test("own the fields of an Event by the names of their version", async () => {
    const event = await create("/apis/events.k8s.io/v1/namespaces/default/events", {
      regarding: { kind: "Pod", name: "p", namespace: "default" },
      eventTime: "2020-01-01T00:00:00.000000Z",
      ...{ reason: "R", note: "N", type: "Normal", action: "A" },
      ...{ reportingController: "c.d/e", reportingInstance: "i" },
    });
    const fields = event.metadata.managedFields[0].fieldsV1;
    expect(fields).toHaveProperty("f:note");
    expect(fields).not.toHaveProperty("f:message");
  });
});

describe("owners of new objects (MF-21)", () => {
  const ownedSpec = (object: any): any => object.metadata.managedFields[0].fieldsV1["f:spec"];

  test("own the defaults", async () => {
    const deployment = await create(`${apps}/deployments`, { spec: workloadSpec });
    expect(ownedSpec(deployment)).toMatchObject({
      "f:replicas": {},
      "f:template": {
        "f:spec": { "f:containers": { 'k:{"name":"app"}': { "f:terminationMessagePath": {} } } },
      },
    });
  });

  test("own no value that the server allocates", async () => {
    const service = await create("/api/v1/namespaces/default/services", {
      spec: { type: "NodePort", ports: [{ port: 80 }] },
    });
    expect(service.spec.ports[0].nodePort).toBeGreaterThan(0);
    expect(Object.keys(service.spec)).toEqual(expect.arrayContaining(["clusterIP", "clusterIPs"]));
    expect(Object.keys(ownedSpec(service)).toSorted()).toEqual([
      "f:externalTrafficPolicy",
      "f:internalTrafficPolicy",
      "f:ports",
      "f:sessionAffinity",
      "f:type",
    ]);
    expect(ownedSpec(service)["f:ports"]['k:{"port":80,"protocol":"TCP"}']).toEqual({
      ...{ ".": {}, "f:port": {}, "f:protocol": {}, "f:targetPort": {} },
    });
    const job = await create("/apis/batch/v1/namespaces/default/jobs", {
      spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } },
    });
    expect(job.spec.selector.matchLabels).toEqual({
      "batch.kubernetes.io/controller-uid": job.metadata.uid,
    });
    expect(ownedSpec(job)).not.toHaveProperty("f:selector");
    expect(ownedSpec(job)["f:template"]).not.toHaveProperty("f:metadata");
    const claim = await create("/api/v1/namespaces/default/persistentvolumeclaims", {
      spec: claimSpec,
    });
    expect(claim.metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
    expect(claim.metadata.managedFields[0].fieldsV1).not.toHaveProperty("f:metadata");
  });

  test("own no field that admission adds", async () => {
    const pod = await create(pods, { spec: podSpec });
    expect(pod.spec).toMatchObject({ priority: 0, preemptionPolicy: "PreemptLowerPriority" });
    expect(pod.spec.tolerations).toHaveLength(2);
    for (const name of ["priority", "preemptionPolicy", "tolerations"]) {
      expect(ownedSpec(pod)).not.toHaveProperty(`f:${name}`);
    }
    const adding: AdmissionPlugin = {
      name: "adds",
      mutate: ({ object }) => ({ ...object, data: { x: "1", added: "1" } }),
    };
    const client = new ApiClient(new FakeApiServer({ admission: [adding] }));
    const { body } = await client.createConfigMap("a", { x: "1" });
    expect(body["data"]).toEqual({ x: "1", added: "1" });
    expect(body["metadata"].managedFields[0].fieldsV1).toEqual({
      "f:data": { ".": {}, "f:x": {} },
    });
  });
});

describe("the template generation of a DaemonSet (DEF-18)", () => {
  const key = "deprecated.daemonset.template.generation";

  test("is owned by its creator, and grows with each template", async () => {
    const client = createClient();
    const path = `${apps}/daemonsets`;
    const { body: created } = await client.call("POST", path, {
      metadata: { name: "a" },
      spec: workloadSpec,
    });
    const of = (body: any) => body.metadata.annotations[key];
    expect(of(created)).toBe("1");
    const { fieldsV1 } = created["metadata"].managedFields[0];
    expect(fieldsV1["f:metadata"]["f:annotations"]).toHaveProperty(`f:${key}`);
    const labels = { app: "web", more: "x" };
    const patch = { spec: { template: { metadata: { labels } } } };
    expect(of((await client.call("PATCH", `${path}/a`, patch)).body)).toBe("2");
    const other = { metadata: { annotations: { [key]: "9" } }, spec: { minReadySeconds: 5 } };
    expect(of((await client.call("PATCH", `${path}/a`, other)).body)).toBe("2");
  });
});

describe("fields of disabled features", () => {
  test("of pods are not stored", async () => {
    const [container] = podSpec.containers;
    const { spec } = await create(pods, {
      spec: {
        containers: [{ ...container, lifecycle: { stopSignal: "SIGTERM" } }],
        schedulingGroup: {},
      },
    });
    expect(spec).not.toHaveProperty("schedulingGroup");
    expect(spec.containers[0].lifecycle).toEqual({});
  });

  test("of probes and volumes are not stored", async () => {
    const [container] = podSpec.containers;
    const probe = { httpGet: { path: "/", port: 80, protocol: "HTTP2" } };
    const { spec } = await create(pods, {
      spec: {
        containers: [{ ...container, livenessProbe: probe }],
        volumes: [
          { name: "a", secret: { secretName: "s", defaultUser: 1 } },
          { name: "b", projected: { sources: [{ configMap: { name: "c" } }], defaultUser: 2 } },
        ],
      },
    });
    expect(spec.containers[0].livenessProbe.httpGet).not.toHaveProperty("protocol");
    const [secret, projected] = spec.volumes;
    expect(secret.secret).toEqual({ secretName: "s", defaultMode: 420 });
    expect(projected.projected).not.toHaveProperty("defaultUser");
  });

  test("of StatefulSets do not include how many pods may be down, which is on since 1.37", async () => {
    const updateStrategy = { rollingUpdate: { maxUnavailable: 2 } };
    const { spec } = await create(`${apps}/statefulsets`, {
      spec: { ...workloadSpec, updateStrategy },
    });
    expect(spec.updateStrategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { partition: 0, maxUnavailable: 2 },
    });
  });
});

describe("pods with pod-level resources (DEF-6)", () => {
  test.each([
    [{ requests: { cpu: "1" } }, "Burstable", { cpu: "1" }],
    [{ limits: { cpu: "2" } }, "Burstable", { cpu: "300m" }],
    [{ limits: { cpu: "300m", memory: "1Gi" } }, "Guaranteed", { cpu: "300m", memory: "1Gi" }],
  ])("%j: %s", async (resources, qosClass, requests) => {
    const request = (name: string, cpu: string) => ({
      ...{ name, image: "x" },
      resources: { requests: { cpu } },
    });
    const containers = [request("a", "100m"), request("b", "200m")];
    const pod = await create(pods, { spec: { containers, resources } });
    expect(pod.status.qosClass).toBe(qosClass);
    expect(pod.spec.resources.requests).toEqual(requests);
  });
});

test.each([
  ["nginx", true],
  ["nginx:latest", true],
  ["registry.example.com:5000/team/app", true],
  ["nginx:1.25", false],
  ["UPPER", false],
  ["a b", false],
  ["", false],
  [`nginx@sha256:${"a".repeat(64)}`, false],
  ["a".repeat(64), false],
])("the image %s has the tag latest: %s (DEF-2)", (image, isLatest) => {
  expect(isLatestImage(image)).toBe(isLatest);
});
