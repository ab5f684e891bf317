import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../../support/api-client.ts";
import { pods, podOf, runPod } from "../../support/pods.ts";

const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";

async function setUp(status?: Json, spec: Json = {}) {
  const server = new FakeApiServer({ seed: 1 });
  const client = new ApiClient(server);
  await runPod(client, "web", { app: "web" });
  const budget = {
    metadata: { name: "pdb" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } }, ...spec },
  };
  await client.call("POST", budgets, budget);
  if (status !== undefined) await client.call("PATCH", `${budgets}/pdb/status`, { status });
  const evict = (body: object = {}, query = "") =>
    client.call("POST", `${pods}/web/eviction${query}`, { metadata: { name: "web" }, ...body });
  return { client, evict, server };
}

describe("an eviction", () => {
  test("deletes a pod that a budget allows, records that in its status, and counts it (SUB-3)", async () => {
    const status = { observedGeneration: 1, disruptionsAllowed: 1 };
    const { client, evict, server } = await setUp(status);
    const answer = await evict();
    expect(answer).toMatchObject({ status: 201, body: { status: "Success", code: 201 } });
    expect((await client.get(`${pods}/web`)).status).toBe(404);
    const { body } = await client.get(`${budgets}/pdb`);
    expect(body["status"]).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { web: expect.stringMatching(/Z$/) },
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
    });
    const last = server.control.eventLog("pods").at(-1)?.object as Json;
    expect(last["status"]["conditions"]).toContainEqual(
      expect.objectContaining({
        type: "DisruptionTarget",
        reason: "EvictionByEvictionAPI",
        message: "Eviction API: evicting",
      }),
    );
  });

  test("may be sent in its older version (SUB-3)", async () => {
    const { client, evict } = await setUp({ observedGeneration: 1, disruptionsAllowed: 1 });
    const kind = "Eviction";
    expect(await evict({ apiVersion: "policy/v2", kind })).toMatchObject({ status: 400 });
    expect(await evict({ apiVersion: "policy/v1beta1", kind })).toMatchObject({ status: 201 });
    expect((await client.get(`${pods}/web`)).status).toBe(404);
  });

  test("is rejected until the budget has been observed, and may be retried (SUB-3)", async () => {
    const { client, evict } = await setUp();
    const { body, headers, status } = await evict();
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("10");
    expect(body["message"]).toBe(refusal);
    expect(body["details"]).toEqual({
      causes: [
        {
          reason: "DisruptionBudget",
          message: "The disruption budget pdb is still being processed by the server.",
        },
      ],
      retryAfterSeconds: 10,
    });
    expect((await client.get(`${pods}/web`)).status).toBe(200);
  });

  test("is rejected while too few pods are healthy (SUB-3)", async () => {
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      desiredHealthy: 1,
      currentHealthy: 1,
    };
    const { evict } = await setUp(status);
    const { body, headers, ...answer } = await evict();
    expect(answer.status).toBe(429);
    expect(headers.has("retry-after")).toBe(false);
    expect(body["details"]["causes"][0]["message"]).toBe(
      "The disruption budget pdb needs 1 healthy pods and has 1 currently",
    );
  });

  test("of a pod with two budgets is rejected with 500 (SUB-3)", async () => {
    const { client, evict } = await setUp();
    await client.call("POST", budgets, { metadata: { name: "all" }, spec: { selector: {} } });
    await client.call("POST", budgets, { metadata: { name: "none" }, spec: {} });
    const { body, status } = await evict();
    expect(status).toBe(500);
    expect(body["message"]).toBe(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
    // This is checked before its options.
    expect((await evict({ deleteOptions: { propagationPolicy: "Any" } })).status).toBe(500);
  });

  test("ignores budgets for pods that do not run (SUB-3)", async () => {
    const { client, evict } = await setUp();
    await client.call("PATCH", `${pods}/web/status`, { status: { phase: "Succeeded" } });
    expect((await evict()).status).toBe(201);
    await client.call("POST", pods, podOf("web", {}, { app: "web" }));
    expect((await evict()).status).toBe(201);
    expect((await client.get(`${pods}/web`)).status).toBe(404);
  });

  test.each([
    ["AlwaysAllow", {}, 201],
    ["IfHealthyBudget", { desiredHealthy: 1, currentHealthy: 1 }, 201],
    ["IfHealthyBudget", { desiredHealthy: 2, currentHealthy: 1 }, 429],
  ])(
    "of a pod that is not ready, with the policy %s and the status %o",
    async (policy, more, code) => {
      const status = { observedGeneration: 1, disruptionsAllowed: 0, ...more };
      const { client, evict } = await setUp(status, { unhealthyPodEvictionPolicy: policy });
      await client.call("PATCH", `${pods}/web/status`, { status: { conditions: null } });
      expect((await evict()).status).toBe(code);
    },
  );

  test("as a dry run changes neither pod nor budget (SUB-3)", async () => {
    const { client, evict, server } = await setUp({ observedGeneration: 1, disruptionsAllowed: 1 });
    const { revision } = server.control;
    expect((await evict({}, "?dryRun=All")).status).toBe(201);
    expect((await evict({ deleteOptions: { dryRun: ["All"] } })).status).toBe(201);
    expect(server.control.revision).toBe(revision);
    expect((await client.get(`${pods}/web`)).status).toBe(200);
  });

  test("may name the version of the pod, and is rejected for another one (SUB-3)", async () => {
    const { client, evict } = await setUp({ observedGeneration: 1, disruptionsAllowed: 5 });
    const { body } = await client.get(`${pods}/web`);
    const of = (resourceVersion: string) =>
      evict({ deleteOptions: { preconditions: { resourceVersion } } });
    expect((await of("1")).status).toBe(409);
    expect((await client.get(`${pods}/web`)).body).toEqual(body);
    expect((await of(body["metadata"]["resourceVersion"] as string)).status).toBe(201);
    expect((await client.get(`${pods}/web`)).status).toBe(404);
  });

  test("obeys preconditions, and must name the pod of its path", async () => {
    const { client, evict } = await setUp({ observedGeneration: 1, disruptionsAllowed: 5 });
    const preconditions = { uid: "another" };
    expect((await evict({ deleteOptions: { preconditions } })).status).toBe(409);
    const other = await evict({ metadata: { name: "other" } });
    expect(other).toMatchObject({
      status: 400,
      body: { message: "name in URL does not match name in Eviction object" },
    });
    const gone = await client.call("POST", `${pods}/gone/eviction`, { metadata: { name: "gone" } });
    expect(gone.status).toBe(404);
    expect((await client.get(`${pods}/web/eviction`)).status).toBe(405);
  });
});
