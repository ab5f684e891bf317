import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { podSpec } from "../support/valid-specs.ts";

const pods = "/api/v1/namespaces/default/pods";
const namespaces = "/api/v1/namespaces";

interface Setup {
  readonly client: ApiClient;
  readonly clock: ManualClock;
  readonly server: FakeApiServer;
}

function setUp(options: FakeApiServerOptions = {}): Setup {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed: 1, ...options });
  return { client: new ApiClient(server), clock, server };
}

async function createPod(client: ApiClient, spec: Json): Promise<void> {
  const pod = { metadata: { name: "p" }, spec: { ...podSpec, ...spec } };
  const { status } = await client.call("POST", pods, pod);
  expect(status).toBe(201);
}

const running = { nodeName: "n", terminationGracePeriodSeconds: 30 };

describe("a delete", () => {
  test("returns a Status that names the object, or the object itself for pods and namespaces", async () => {
    const { client } = setUp();
    const { body: created } = await client.createConfigMap("a");
    const { body } = await client.call("DELETE", `${configMaps}/a`);
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: created["metadata"]["uid"] as string },
    });
    await createPod(client, {});
    expect((await client.call("DELETE", `${pods}/p`)).body["kind"]).toBe("Pod");
  });

  test.each([
    ["?propagationPolicy=Background", false],
    ["?orphanDependents=true", false],
    ["", true],
  ])("EFF-6: of a job with %j warns about orphaned pods: %s", async (query, isWarned) => {
    const { client } = setUp();
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const spec = { template: { spec: { restartPolicy: "Never", containers: [] } } };
    await client.call("POST", jobs, { metadata: { name: "j" }, spec });
    for (const path of [`${jobs}/j${query}`, `${jobs}${query}`]) {
      const { headers } = await client.call("DELETE", path);
      const warning = headers.get("warning") ?? "";
      expect(warning.includes("child pods are preserved by default")).toBe(isWarned);
    }
  });

  test("marks an object that has finalizers, and removes it with the last finalizer", async () => {
    const { client } = setUp();
    const metadata = { name: "a", finalizers: ["example.com/x"] };
    await client.call("POST", configMaps, { metadata });
    const marked = await client.call("DELETE", `${configMaps}/a`);
    expect(marked.body["metadata"]).toMatchObject({
      deletionTimestamp: "2026-01-02T03:04:05Z",
      deletionGracePeriodSeconds: 0,
    });
    const again = await client.call("DELETE", `${configMaps}/a`);
    expect(again.body).toEqual(marked.body);
    await client.call("PATCH", `${configMaps}/a`, { metadata: { finalizers: null } });
    expect((await client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test("EFF-8: reserves the name of the object until it is removed", async () => {
    const { client } = setUp();
    await client.call("POST", configMaps, {
      metadata: { name: "a", finalizers: ["example.com/x"] },
    });
    const create = (): Promise<Answer> =>
      client.call("POST", configMaps, { metadata: { name: "a" } });
    expect((await create()).body["message"]).toBe('configmaps "a" already exists');
    await client.call("DELETE", `${configMaps}/a`);
    expect(await create()).toMatchObject({
      status: 409,
      body: {
        message: 'object is being deleted: configmaps "a" already exists',
        reason: "AlreadyExists",
        details: { name: "a", kind: "configmaps" },
      },
    });
    await client.call("PATCH", `${configMaps}/a`, { metadata: { finalizers: null } });
    expect((await create()).status).toBe(201);
  });

  test.each([
    [{ kind: "Other" }, 400],
    [{ gracePeriodSeconds: "3" }, 400],
    [{ preconditions: 5 }, 400],
    [{ dryRun: "All" }, 400],
    [{ dryRun: ["Some"] }, 422],
    [{ propagationPolicy: "Sometimes" }, 422],
    [{ propagationPolicy: "Orphan", orphanDependents: true }, 422],
    [{ preconditions: { uid: "other" } }, 409],
    [{ preconditions: { resourceVersion: "1" } }, 409],
  ])("with the options %j is rejected with %i", async (options, code) => {
    const { client } = setUp();
    await client.createConfigMap("a");
    expect((await client.call("DELETE", `${configMaps}/a`, options)).status).toBe(code);
    expect((await client.get(`${configMaps}/a`)).status).toBe(200);
  });

  test("of a collection deletes the selected objects, one at a time", async () => {
    const { client, server } = setUp();
    for (const name of ["a", "b", "c"]) {
      const labels = { keep: name === "b" ? "yes" : "no" };
      await client.call("POST", configMaps, { metadata: { name, labels } });
    }
    const before = server.control.revision;
    const { body } = await client.call("DELETE", `${configMaps}?labelSelector=keep=no`);
    expect(body["items"]).toHaveLength(2);
    expect(server.control.revision).toBe(before + 2);
    expect((await client.get(configMaps)).body["items"]).toHaveLength(1);
  });
});

describe("the grace period of a pod", () => {
  test("is zero by default", async () => {
    const { client } = setUp();
    await createPod(client, running);
    await client.call("DELETE", `${pods}/p`);
    expect((await client.get(`${pods}/p`)).status).toBe(404);
  });

  test("with podDeletion kubelet waits for the kubelet, and a later delete can only shorten it", async () => {
    const { client, clock } = setUp({ podDeletion: "kubelet" });
    await createPod(client, running);
    const { body } = await client.call("DELETE", `${pods}/p`);
    expect(body["metadata"]).toMatchObject({
      deletionTimestamp: "2026-01-02T03:04:35Z",
      deletionGracePeriodSeconds: 30,
    });
    const longer = await client.call("DELETE", `${pods}/p`, { gracePeriodSeconds: 60 });
    expect(longer.body).toEqual(body);
    await client.call("DELETE", `${pods}/p`, { gracePeriodSeconds: 10 });
    await clock.advance(9000);
    expect((await client.get(`${pods}/p`)).status).toBe(200);
    await clock.advance(1000);
    expect((await client.get(`${pods}/p`)).status).toBe(404);
  });

  test("is kept by a later delete without one (EFF-7)", async () => {
    const { client } = setUp({ podDeletion: "never" });
    await createPod(client, running);
    const { body } = await client.call("DELETE", `${pods}/p?gracePeriodSeconds=60`);
    expect(body["metadata"]["deletionGracePeriodSeconds"]).toBe(60);
    expect((await client.call("DELETE", `${pods}/p`)).body).toEqual(body);
    await client.call("PATCH", `${pods}/p/status`, { status: { phase: "Succeeded" } });
    await client.call("DELETE", `${pods}/p`);
    expect((await client.get(`${pods}/p`)).body["metadata"]["deletionGracePeriodSeconds"]).toBe(60);
  });

  test.each([
    [20, "2026-01-02T03:04:25Z", 20],
    [5, "2026-01-02T03:04:15Z", 1],
  ])(
    "counts from the first delete when it is shortened to %i s (EFF-7)",
    async (seconds, deletionTimestamp, deletionGracePeriodSeconds) => {
      const { client, clock } = setUp({ podDeletion: "never" });
      await createPod(client, running);
      await client.call("DELETE", `${pods}/p`);
      await clock.advance(10_000);
      const { body } = await client.call("DELETE", `${pods}/p?gracePeriodSeconds=${seconds}`);
      expect(body["metadata"]).toMatchObject({
        deletionTimestamp,
        deletionGracePeriodSeconds,
        generation: 2,
      });
    },
  );

  test("is not changed by a delete with a longer one, nor are the finalizers (API-1.14)", async () => {
    const { client } = setUp({ podDeletion: "never" });
    await createPod(client, running);
    const { body } = await client.call("DELETE", `${pods}/p`);
    const again = await client.call("DELETE", `${pods}/p?propagationPolicy=Foreground`);
    expect(again.body).toEqual(body);
  });

  test("with podDeletion never lasts until a delete with zero, as without a kubelet", async () => {
    const { client, clock } = setUp({ podDeletion: "never" });
    await createPod(client, running);
    await client.call("DELETE", `${pods}/p`);
    await clock.advance(3_600_000);
    expect((await client.get(`${pods}/p`)).status).toBe(200);
    await client.call("DELETE", `${pods}/p?gracePeriodSeconds=0`);
    expect((await client.get(`${pods}/p`)).status).toBe(404);
  });

  test("is zero for pods that are unscheduled or have ended", async () => {
    const { client } = setUp({ podDeletion: "never" });
    await createPod(client, { terminationGracePeriodSeconds: 30 });
    await client.call("DELETE", `${pods}/p`);
    expect((await client.get(`${pods}/p`)).status).toBe(404);
    await createPod(client, running);
    await client.call("PATCH", `${pods}/p/status`, { status: { phase: "Succeeded" } });
    await client.call("DELETE", `${pods}/p`);
    expect((await client.get(`${pods}/p`)).status).toBe(404);
  });
});

describe("namespaces", () => {
  test("exist in every cluster, and three of them cannot be deleted (API-1.17)", async () => {
    const { client } = setUp();
    const { body } = await client.get(namespaces);
    const items = body["items"] as readonly Json[];
    expect(items.map(({ metadata }) => metadata["name"] as string)).toEqual([
      "default",
      "kube-node-lease",
      "kube-public",
      "kube-system",
    ]);
    const refusal = await client.call("DELETE", `${namespaces}/default`);
    expect(refusal).toMatchObject({ status: 403, body: { reason: "Forbidden" } });
  });

  test("get a label, a finalizer and a phase", async () => {
    const { client } = setUp();
    const { body } = await client.call("POST", namespaces, { metadata: { name: "a" } });
    expect(body).toMatchObject({
      metadata: { labels: { "kubernetes.io/metadata.name": "a" } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  });

  test("delete their objects, with events, when they are deleted", async () => {
    const { client, server } = setUp();
    await client.call("POST", namespaces, { metadata: { name: "a" } });
    await client.call("POST", `${namespaces}/a/configmaps`, { metadata: { name: "c" } });
    const version = server.control.revision;
    const contents = await client.watch(`/api/v1/configmaps?watch=1&resourceVersion=${version}`);
    const spaces = await client.watch(`${namespaces}?watch=1&resourceVersion=${version}`);
    const { body } = await client.call("DELETE", `${namespaces}/a`);
    expect(body["status"]).toEqual({ phase: "Terminating" });
    expect(await contents.take(1)).toEqual(["DELETED c"]);
    expect(await spaces.take(2)).toEqual(["MODIFIED a", "DELETED a"]);
  });

  test("wait for finalizers of their objects, and reject new ones meanwhile", async () => {
    const { client } = setUp();
    const collection = `${namespaces}/a/configmaps`;
    await client.call("POST", namespaces, { metadata: { name: "a" } });
    const metadata = { name: "c", finalizers: ["example.com/x"] };
    await client.call("POST", collection, { metadata });
    await client.call("DELETE", `${namespaces}/a`);
    const refusal = await client.call("POST", collection, { metadata: { name: "d" } });
    expect(refusal).toMatchObject({
      status: 403,
      body: { details: { causes: [{ reason: "NamespaceTerminating" }] } },
    });
    expect((await client.get(`${namespaces}/a`)).status).toBe(200);
    await client.call("PATCH", `${collection}/c`, { metadata: { finalizers: null } });
    expect((await client.get(`${namespaces}/a`)).status).toBe(404);
  });

  test("are emptied with a delay with namespaceDeletion controller, and never with never", async () => {
    for (const [namespaceDeletion, code] of [
      ["controller", 404],
      ["never", 200],
    ] as const) {
      const { client, clock } = setUp({ namespaceDeletion });
      await client.call("POST", namespaces, { metadata: { name: "a" } });
      await client.call("DELETE", `${namespaces}/a`);
      expect((await client.get(`${namespaces}/a`)).status).toBe(200);
      await clock.advance(1000);
      expect((await client.get(`${namespaces}/a`)).status).toBe(code);
    }
  });

  test("must exist for their contents, unless the server is permissive (NS-2)", async () => {
    const { client } = setUp();
    const path = `${namespaces}/a/configmaps`;
    const { body, status } = await client.call("POST", path, { metadata: { name: "c" } });
    expect(status).toBe(404);
    expect(body["message"]).toBe('namespaces "a" not found');
    await client.call("POST", namespaces, { metadata: { name: "a" } });
    expect((await client.call("POST", path, { metadata: { name: "c" } })).status).toBe(201);
    const permissive = setUp({ namespaces: "permissive" });
    const taken = await permissive.client.call("POST", path, { metadata: { name: "c" } });
    expect(taken.status).toBe(201);
  });
});
