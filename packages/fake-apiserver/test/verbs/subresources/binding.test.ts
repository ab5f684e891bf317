import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { podOf, pods } from "../../support/pods.ts";

async function setUp(spec: object = {}) {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  await client.call("POST", pods, podOf("web", spec, { app: "web" }));
  const bind = (target: object, metadata: object = {}) =>
    client.call("POST", `${pods}/web/binding`, { metadata: { name: "web", ...metadata }, target });
  return { client, bind };
}

describe("a binding", () => {
  test("sets the node, the condition, annotations and new labels of a pod (SUB-2)", async () => {
    const { bind, client } = await setUp();
    const metadata = { annotations: { a: "1" }, labels: { app: "other", zone: "z" } };
    const answer = await bind({ kind: "Node", name: "n1" }, metadata);
    expect(answer).toMatchObject({ status: 201, body: { status: "Success", code: 201 } });
    const { body } = await client.get(`${pods}/web`);
    expect(body["spec"]).toMatchObject({ nodeName: "n1" });
    expect(body["metadata"]).toMatchObject({
      generation: 1,
      annotations: { a: "1" },
      labels: { app: "web", zone: "z" },
    });
    expect(body["status"]["conditions"]).toMatchObject([{ type: "PodScheduled", status: "True" }]);
  });

  test("replaces the condition of the scheduling gates", async () => {
    const gated = { schedulingGates: [{ name: "example.com/wait" }] };
    const { bind, client } = await setUp(gated);
    const refused = await bind({ name: "n1" });
    expect(refused.status).toBe(409);
    expect(refused.body["message"]).toBe(
      'Operation cannot be fulfilled on pods/binding "web": pod web has non-empty .spec.schedulingGates',
    );
    await client.call("PATCH", `${pods}/web`, { spec: { schedulingGates: null } });
    expect((await bind({ name: "n1" })).status).toBe(201);
    const { body } = await client.get(`${pods}/web`);
    expect(body["status"]["conditions"]).toHaveLength(1);
    expect(body["status"]["conditions"][0]).not.toHaveProperty("reason");
  });

  test("is rejected for a pod that has a node, also at the collection (SUB-2)", async () => {
    const { client } = await setUp({ nodeName: "n9" });
    const path = "/api/v1/namespaces/default/bindings";
    const binding = { metadata: { name: "web" }, target: { name: "n1" } };
    const { body, status } = await client.call("POST", path, binding);
    expect(status).toBe(409);
    expect(body["message"]).toBe(
      'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "n9"',
    );
  });

  test.each([
    [{ kind: "Node" }, "target.name: Required value"],
    [
      { kind: "Foo", name: "x" },
      'target.kind: Unsupported value: "Foo": supported values: "Node", "<empty>"',
    ],
    [
      { kind: "Foo" },
      '[target.kind: Unsupported value: "Foo": supported values: "Node", "<empty>", target.name: Required value]',
    ],
  ])("to %o is rejected with 500 (SUB-2)", async (target, message) => {
    const { bind } = await setUp();
    const { body, status } = await bind(target);
    expect(status).toBe(500);
    expect(body["message"]).toBe(message);
    expect(body).not.toHaveProperty("reason");
  });

  test("for another or a missing pod changes nothing", async () => {
    const { bind, client } = await setUp();
    const other = await bind({ name: "n1" }, { name: "other" });
    expect(other).toMatchObject({
      status: 400,
      body: { message: "name in URL does not match name in Binding object" },
    });
    const stale = await bind({ name: "n1" }, { uid: "another" });
    expect(stale.status).toBe(409);
    const binding = { metadata: { name: "gone" }, target: { name: "n1" } };
    expect((await client.call("POST", `${pods}/gone/binding`, binding)).status).toBe(404);
    const dry = await client.call("POST", `${pods}/web/binding?dryRun=All`, {
      metadata: { name: "web" },
      target: { name: "n1" },
    });
    expect(dry.status).toBe(201);
    expect((await client.get(`${pods}/web`)).body["spec"]).not.toHaveProperty("nodeName");
  });

  test("cannot be retrieved", async () => {
    const { client } = await setUp();
    expect((await client.get(`${pods}/web/binding`)).status).toBe(405);
    expect((await client.get("/api/v1/namespaces/default/bindings")).status).toBe(405);
  });
});
