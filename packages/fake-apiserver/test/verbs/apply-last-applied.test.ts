import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps } from "../support/api-client.ts";

const note = "kubectl.kubernetes.io/last-applied-configuration";

/** A ConfigMap of a client-side `kubectl apply`. */
class Migrating {
  readonly client = new ApiClient(new FakeApiServer({ seed: 1 }));

  create(applied: object, data: object): Promise<Answer> {
    const annotations = {
      [note]: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", ...applied }),
    };
    return this.client.call("POST", `${configMaps}?fieldManager=kubectl-client-side-apply`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", annotations },
      data,
    });
  }

  apply(manager: string, data: object, metadata: object = {}): Promise<Answer> {
    const body = {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "a", ...metadata },
      data,
    };
    return this.client.call("PATCH", `${configMaps}/a?fieldManager=${manager}`, body, {
      headers: { "content-type": "application/apply-patch+yaml" },
    });
  }
}

describe("an object of a client-side kubectl apply", () => {
  test("SSA-42: kubectl takes over fields that have not changed since", async () => {
    const migrating = new Migrating();
    await migrating.create({ data: { x: "1" } }, { x: "1" });
    const { body, status } = await migrating.apply("kubectl", { x: "2" });
    expect(status).toBe(200);
    expect(body["data"]).toEqual({ x: "2" });
  });

  test("SSA-42: only conflicts about fields that kubectl did not apply remain", async () => {
    const migrating = new Migrating();
    await migrating.create({ data: { x: "1", changed: "1" } }, { x: "1", changed: "2", y: "1" });
    const { body, status } = await migrating.apply("kubectl", { x: "2", changed: "3", y: "2" });
    expect(status).toBe(409);
    expect(body["message"]).toBe(
      "Apply failed with 2 conflicts: " +
        'conflicts with "kubectl-client-side-apply" using v1:\n- .data.changed\n- .data.y',
    );
  });

  test.each([
    ["another manager", "helm", { apiVersion: "v1", data: { x: "1" } }],
    ["another version", "kubectl", { apiVersion: "v2", data: { x: "1" } }],
    ["what does not fit the type", "kubectl", { data: { x: "1" }, nope: 1 }],
  ])("SSA-42: the annotation does not help %s", async (_what, manager, applied) => {
    const migrating = new Migrating();
    await migrating.create(applied, { x: "1" });
    expect((await migrating.apply(manager, { x: "2" })).status).toBe(409);
  });

  test("SSA-42: kubectl's apply rewrites the annotation, which keeps its owner", async () => {
    const migrating = new Migrating();
    const created = await migrating.create({ data: { x: "1" } }, { x: "1" });
    const { body } = await migrating.apply("kubectl", { x: "<2>" }, { annotations: { z: "" } });
    expect(body["metadata"]["annotations"][note]).toBe(
      '{"apiVersion":"v1","data":{"x":"\\u003c2\\u003e"},"kind":"ConfigMap",' +
        '"metadata":{"annotations":{"z":""},"name":"a"}}\n',
    );
    const ofCreate = ({ body: { metadata } }: Answer): unknown =>
      metadata["managedFields"].find(
        ({ operation }: { operation: string }) => operation === "Update",
      ).fieldsV1["f:metadata"];
    const after = await migrating.client.get(`${configMaps}/a`);
    expect(ofCreate(after)).toEqual(ofCreate(created));
  });

  test("SSA-42: an annotation that would be too large is removed", async () => {
    const migrating = new Migrating();
    await migrating.create({ data: { x: "1" } }, { x: "1" });
    const { body, status } = await migrating.apply("kubectl", { x: "l".repeat(262_144) });
    expect(status).toBe(200);
    expect(body["metadata"]["annotations"]).toBeUndefined();
  });

  test("SSA-42: an object without the annotation gets none", async () => {
    const migrating = new Migrating();
    const { body } = await migrating.apply("kubectl", { x: "1" });
    expect(body["metadata"]["annotations"]).toBeUndefined();
  });
});
