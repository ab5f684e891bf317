import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Answer } from "../support/api-client.ts";

const core = "/api/v1/namespaces/default";
const quotas = `${core}/resourcequotas`;

/** A server with a quota whose status is set, as by a controller. */
async function start(hard: Record<string, string>, spec: object = {}): Promise<ApiClient> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  await client.call("POST", quotas, { metadata: { name: "q" }, spec: { hard, ...spec } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
  await client.call("PATCH", `${quotas}/q/status`, { status: { hard, used } });
  return client;
}

async function usedOf(client: ApiClient): Promise<unknown> {
  return (await client.get(`${quotas}/q`)).body["status"].used;
}

function create(client: ApiClient, plural: string, name: string, fields = {}): Promise<Answer> {
  return client.call("POST", `${core}/${plural}`, { metadata: { name }, ...fields });
}

function pod(resources: object, more: object = {}): object {
  return {
    spec: {
      containers: [
        { name: "b", image: "i", resources },
        {
          name: "a",
          image: "i",
          resources: { requests: { cpu: "100m", memory: "10Mi" }, limits: { memory: "20Mi" } },
        },
      ],
      ...more,
    },
  };
}

// Messages recorded from kube-apiserver 1.36.3.
describe("resource quotas (EFF-5)", () => {
  test("limit nothing until a controller has written their status", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    await create(client, "resourcequotas", "q", { spec: { hard: { secrets: "0" } } });

    expect((await create(client, "secrets", "s")).status).toBe(201);
  });

  test("count created objects, and reject excess ones", async () => {
    const client = await start({ secrets: "1", "count/configmaps": "1" });
    const answers = [
      await create(client, "secrets", "s1"),
      await create(client, "secrets", "s2"),
      await create(client, "configmaps", "c1"),
      await create(client, "configmaps", "c2"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([201, 403, 201, 403]);
    expect(answers[1]?.body["message"]).toBe(
      'secrets "s2" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=1, limited: secrets=1',
    );
    expect(answers[3]?.body["message"]).toBe(
      'configmaps "c2" is forbidden: exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited: count/configmaps=1',
    );
    expect(await usedOf(client)).toEqual({ secrets: "1", "count/configmaps": "1" });
  });

  test("dry runs and rejected objects use nothing", async () => {
    const client = await start({ secrets: "1" });
    const dryRun = await client.call("POST", `${core}/secrets?dryRun=All`, {
      metadata: { name: "s" },
    });
    const invalid = await create(client, "secrets", "-");

    expect([dryRun.status, invalid.status]).toEqual([201, 422]);
    expect(await usedOf(client)).toEqual({ secrets: "0" });
  });

  test("pods must specify the resources that a quota counts", async () => {
    const client = await start({
      "requests.cpu": "1",
      "requests.memory": "1Gi",
      "limits.memory": "2Gi",
    });

    expect((await create(client, "pods", "p", pod({}))).body["message"]).toBe(
      'pods "p" is forbidden: failed quota: q: must specify limits.memory for: b; requests.cpu for: b; requests.memory for: b',
    );
  });

  test("the requests of a pod's containers are added up", async () => {
    const client = await start({
      pods: "3",
      "requests.cpu": "1",
      "requests.memory": "1Gi",
      "limits.memory": "2Gi",
    });
    const resources = { requests: { cpu: "500m", memory: "512Mi" }, limits: { memory: "1Gi" } };
    const first = await create(client, "pods", "p1", pod(resources));
    const second = await create(client, "pods", "p2", pod(resources));

    expect(first.status).toBe(201);
    expect(await usedOf(client)).toEqual({
      pods: "1",
      "requests.cpu": "600m",
      "requests.memory": "522Mi",
      "limits.memory": "1044Mi",
    });
    expect(second.body["message"]).toBe(
      'pods "p2" is forbidden: exceeded quota: q, requested: limits.memory=1044Mi,requests.cpu=600m,requests.memory=522Mi, used: limits.memory=1044Mi,requests.cpu=600m,requests.memory=522Mi, limited: limits.memory=2Gi,requests.cpu=1,requests.memory=1Gi',
    );
  });

  test("scopes select the pods that count", async () => {
    const client = await start({ pods: "0" }, { scopes: ["BestEffort"] });
    const plain = { spec: { containers: [{ name: "a", image: "i" }] } };

    expect((await create(client, "pods", "p", pod({ requests: { cpu: "1" } }))).status).toBe(201);
    expect((await create(client, "pods", "q", plain)).status).toBe(403);
  });

  test("updates of services count the added usage", async () => {
    const client = await start({
      services: "2",
      "services.nodeports": "1",
      "services.loadbalancers": "0",
    });
    await create(client, "services", "s", { spec: { ports: [{ port: 80 }] } });
    const balanced = await client.call("PATCH", `${core}/services/s`, {
      spec: { type: "LoadBalancer" },
    });
    const onNodes = await client.call("PATCH", `${core}/services/s`, {
      spec: { type: "NodePort" },
    });

    expect(balanced.body["message"]).toBe(
      'services "s" is forbidden: exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=0, limited: services.loadbalancers=0',
    );
    expect(onNodes.status).toBe(200);
    expect(await usedOf(client)).toEqual({
      services: "1",
      "services.nodeports": "1",
      "services.loadbalancers": "0",
    });
  });

  test("claims also count by their class", async () => {
    const fast = "fast.storageclass.storage.k8s.io/requests.storage";
    const client = await start({ "requests.storage": "5Gi", [fast]: "2Gi" });
    const claim = (storageClassName?: string): object => ({
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "3Gi" } },
        ...(storageClassName !== undefined && { storageClassName }),
      },
    });
    const refused = await create(client, "persistentvolumeclaims", "c", claim("fast"));
    const taken = await create(client, "persistentvolumeclaims", "c", claim());

    expect(refused.body["message"]).toBe(
      `persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: ${fast}=3Gi, used: ${fast}=0, limited: ${fast}=2Gi`,
    );
    expect(taken.status).toBe(201);
    expect(await usedOf(client)).toEqual({ "requests.storage": "3Gi", [fast]: "0" });
  });

  test("objects of any group count by their names", async () => {
    const client = await start({ "count/leases.coordination.k8s.io": "0" });
    const { body } = await client.call(
      "POST",
      "/apis/coordination.k8s.io/v1/namespaces/default/leases",
      { metadata: { name: "l" } },
    );

    expect(body["message"]).toBe(
      'leases.coordination.k8s.io "l" is forbidden: exceeded quota: q, requested: count/leases.coordination.k8s.io=1, used: count/leases.coordination.k8s.io=0, limited: count/leases.coordination.k8s.io=0',
    );
  });

  test("a quota whose status lacks the used amounts rejects everything", async () => {
    const client = await start({ secrets: "1" });
    await client.call("PATCH", `${quotas}/q/status`, { status: { used: { secrets: null } } });

    expect((await create(client, "secrets", "s")).body["message"]).toBe(
      'secrets "s" is forbidden: status unknown for quota: q, resources: secrets',
    );
  });
});
