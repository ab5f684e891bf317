// The admission plugins that every real server has, for pods and claims.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../../support/api-client.ts";

const core = "/api/v1/namespaces/default";
const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";

function createClient(validation: "full" | "off" = "full"): ApiClient {
  return new ApiClient(new FakeApiServer({ validation }));
}

/** Creates a pod with one container; returns the response. */
async function createPod(client: ApiClient, spec: Json, resources: Json = {}): Promise<Json> {
  const containers = [{ name: "c", image: "i", resources }];
  const pod = { metadata: { generateName: "p-" }, spec: { containers, ...spec } };
  return (await client.call("POST", `${core}/pods`, pod)).body;
}

describe("the priority of a pod (VAL-17)", () => {
  test("comes from its class", async () => {
    const client = createClient();
    await client.call("POST", priorityClasses, {
      metadata: { name: "high" },
      value: 5,
      preemptionPolicy: "Never",
    });
    expect(await createPod(client, { priorityClassName: "high" })).toMatchObject({
      spec: { priority: 5, preemptionPolicy: "Never" },
    });
    expect(await createPod(client, { priorityClassName: "system-node-critical" })).toMatchObject({
      spec: { priority: 2_000_001_000, preemptionPolicy: "PreemptLowerPriority" },
    });
  });

  test("comes from the default class, and only one class may be the default", async () => {
    const client = createClient();
    const create = (name: string) =>
      client.call("POST", priorityClasses, { metadata: { name }, value: 7, globalDefault: true });
    await create("usual");
    expect(await createPod(client, {})).toMatchObject({
      spec: { priorityClassName: "usual", priority: 7 },
    });
    expect((await create("other")).body).toMatchObject({
      code: 403,
      message:
        'priorityclasses.scheduling.k8s.io "other" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    });
  });

  test("cannot be set directly, and its class must exist", async () => {
    const client = createClient();
    const given = await createPod(client, { priority: 5 });
    expect(given["code"]).toBe(403);
    expect(given["message"]).toMatch(
      /is forbidden: the integer value of priority \(5\) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name$/,
    );
    const missing = await createPod(client, { priorityClassName: "nope" });
    expect(missing["message"]).toMatch(/ is forbidden: no PriorityClass with name nope was found$/);
  });

  test("can be set on a server without validation", async () => {
    const client = createClient("off");
    expect(await createPod(client, { priorityClassName: "nope", priority: 5 })).toMatchObject({
      spec: { priorityClassName: "nope", priority: 5 },
    });
  });
});

test("a runtime class adds overhead and scheduling to its pods, and must exist (VAL-17)", async () => {
  const client = createClient();
  await client.call("POST", "/apis/node.k8s.io/v1/runtimeclasses", {
    metadata: { name: "vm" },
    handler: "vm",
    overhead: { podFixed: { cpu: "250m" } },
    scheduling: { nodeSelector: { vm: "yes" } },
  });
  expect(await createPod(client, { runtimeClassName: "vm" })).toMatchObject({
    spec: { overhead: { cpu: "250m" }, nodeSelector: { vm: "yes" } },
  });
  const missing = await createPod(client, { runtimeClassName: "nope" });
  expect(missing["message"]).toMatch(/pod rejected: RuntimeClass "nope" not found$/);
  const contrary = await createPod(client, { runtimeClassName: "vm", nodeSelector: { vm: "no" } });
  expect(contrary["code"]).toBe(403);
});

describe("limit ranges (EFF-5)", () => {
  const withRange = async (limit: Json): Promise<ApiClient> => {
    const client = createClient();
    const range = { metadata: { name: "lr" }, spec: { limits: [limit] } };
    await client.call("POST", `${core}/limitranges`, range);
    return client;
  };

  test("fill in unset resources of containers, and annotate that", async () => {
    const client = await withRange({
      type: "Container",
      default: { cpu: "500m" },
      defaultRequest: { cpu: "250m", memory: "64Mi" },
      max: { cpu: "2", memory: "1Gi" },
    });
    expect(await createPod(client, {})).toMatchObject({
      metadata: {
        annotations: {
          "kubernetes.io/limit-ranger":
            "LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c",
        },
      },
      spec: {
        containers: [
          {
            resources: {
              limits: { cpu: "500m", memory: "1Gi" },
              requests: { cpu: "250m", memory: "64Mi" },
            },
          },
        ],
      },
      status: { qosClass: "Burstable" },
    });
    const limits = { cpu: "1", memory: "1Mi" };
    const own = await createPod(client, {}, { limits });
    expect(own["metadata"].annotations).toBeUndefined();
  });

  test.each([
    [
      { max: { cpu: "2" } },
      { limits: { cpu: "3" } },
      "maximum cpu usage per Container is 2, but limit is 3",
    ],
    [
      { maxLimitRequestRatio: { memory: "2" } },
      { requests: { memory: "16Mi" }, limits: { memory: "64Mi" } },
      "memory max limit to request ratio per Container is 2, but provided ratio is 4.000000",
    ],
    [
      { maxLimitRequestRatio: { memory: "2" } },
      { limits: { cpu: "1" } },
      "memory max limit to request ratio per Container is 2, but no request is specified or request is 0",
    ],
    [
      { min: { cpu: "1" } },
      { requests: { cpu: "500m" } },
      "minimum cpu usage per Container is 1, but request is 500m",
    ],
    [
      { max: { cpu: "1", memory: "1Mi" } },
      { limits: { cpu: "2", memory: "2Mi" } },
      "[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Mi, but limit is 2Mi]",
    ],
  ])("of %j reject containers with %j", async (bounds, resources, why) => {
    const client = await withRange({ type: "Container", ...bounds });
    const { code, message } = await createPod(client, {}, resources);
    expect(code).toBe(403);
    expect(message).toMatch(/^pods "p-\w{5}" is forbidden: /);
    expect(message.split(" is forbidden: ")[1]).toBe(why);
  });

  test("of pods limit the sum of their containers", async () => {
    const client = await withRange({ type: "Pod", max: { cpu: "1" } });
    const resources = { limits: { cpu: "600m" } };
    const containers = ["a", "b"].map((name) => ({ name, image: "i", resources }));
    const { message } = await createPod(client, { containers });
    expect(message).toContain("maximum cpu usage per Pod is 1, but limit is 1200m");
    const silent = await createPod(client, {});
    expect(silent["message"]).toContain("maximum cpu usage per Pod is 1.  No limit is specified");
  });

  test("of claims limit their requests", async () => {
    const client = await withRange({ type: "PersistentVolumeClaim", max: { storage: "1Gi" } });
    const claim = (storage: string) => ({
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
    });
    const path = `${core}/persistentvolumeclaims`;
    expect((await client.call("POST", path, claim("2Gi"))).body["message"]).toBe(
      'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    );
    expect((await client.call("POST", path, claim("1Gi"))).status).toBe(201);
  });
});

test("a bound claim can grow if its class allows it (VAL-14)", async () => {
  const client = createClient();
  const path = `${core}/persistentvolumeclaims`;
  for (const [name, allowVolumeExpansion] of [
    ["fixed", false],
    ["elastic", true],
  ] as const) {
    await client.call("POST", "/apis/storage.k8s.io/v1/storageclasses", {
      metadata: { name },
      provisioner: "example.com/p",
      allowVolumeExpansion,
    });
    await client.call("POST", path, {
      metadata: { name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: name,
      },
    });
    const status = { phase: "Bound", capacity: { storage: "1Gi" } };
    await client.call("PATCH", `${path}/${name}/status`, { status });
  }
  const grow = { spec: { resources: { requests: { storage: "2Gi" } } } };
  expect((await client.call("PATCH", `${path}/fixed`, grow)).body).toMatchObject({
    code: 403,
    message:
      'persistentvolumeclaims "fixed" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  });
  expect((await client.call("PATCH", `${path}/elastic`, grow)).status).toBe(200);
});
