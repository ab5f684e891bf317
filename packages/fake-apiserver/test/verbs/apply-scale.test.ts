import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, type Json } from "../support/api-client.ts";

const deployment = "/apis/apps/v1/namespaces/default/deployments/web";
const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "main", image: "nginx:1" }] },
};

class Scaler {
  readonly client = new ApiClient(new FakeApiServer({ seed: 1 }));

  #apply(path: string, manager: string, body: object, query: string): Promise<Answer> {
    return this.client.call("PATCH", `${path}?fieldManager=${manager}${query}`, body, {
      headers: { "content-type": "application/apply-patch+yaml" },
    });
  }

  applyDeployment(manager: string, spec: object = {}, query = ""): Promise<Answer> {
    const body = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { selector: { matchLabels: { app: "web" } }, template, ...spec },
    };
    return this.#apply(deployment, manager, body, query);
  }

  applyScale(manager: string, scale: object, query = ""): Promise<Answer> {
    const body = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" } };
    return this.#apply(`${deployment}/scale`, manager, { ...body, ...scale }, query);
  }

  async owners(): Promise<readonly Json[]> {
    const { body } = await this.client.get(deployment);
    return body["metadata"]["managedFields"];
  }
}

describe("an apply to a scale subresource", () => {
  test("MF-33: conflicts with the owner of the object's replicas", async () => {
    const scaler = new Scaler();
    await scaler.applyDeployment("one", { replicas: 2 });
    const refused = await scaler.applyScale("two", { spec: { replicas: 5 } });
    expect(refused.status).toBe(409);
    expect(refused.body["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    );
  });

  test("MF-33: takes only the replicas from their owner, and its entry has no time", async () => {
    const scaler = new Scaler();
    await scaler.applyDeployment("one", { replicas: 2 });
    const scaled = await scaler.applyScale("two", { spec: { replicas: 5 } }, "&force=true");
    expect(scaled.body["spec"]).toEqual({ replicas: 5 });
    const [one, two] = (await scaler.owners()).toSorted((a, b) =>
      a["manager"] < b["manager"] ? -1 : 1,
    );
    expect(one?.["fieldsV1"]["f:spec"]["f:replicas"]).toBeUndefined();
    expect(one?.["fieldsV1"]["f:spec"]["f:selector"]).toEqual({});
    expect(two).toEqual({
      manager: "two",
      operation: "Apply",
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
      subresource: "scale",
    });
  });

  test("MF-33: the object's appliers conflict with the scale", async () => {
    const scaler = new Scaler();
    await scaler.applyDeployment("one");
    await scaler.applyScale("two", { spec: { replicas: 5 } }, "&force=true");
    const refused = await scaler.applyDeployment("one", { replicas: 3 });
    expect(refused.body["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "two" with subresource "scale": .spec.replicas',
    );
  });

  test("MF-33: several managers may own the same number", async () => {
    const scaler = new Scaler();
    await scaler.applyDeployment("one", { replicas: 2 });
    expect((await scaler.applyScale("two", { spec: { replicas: 2 } })).status).toBe(200);
    const owners = await scaler.owners();
    const owns = owners.map(({ fieldsV1 }) => fieldsV1["f:spec"]["f:replicas"]);
    expect(owns).toEqual([{}, {}]);
  });

  test.each([
    ["SSA-3: another kind", { kind: "Deployment" }, 400, "autoscaling/v1, Kind=Deployment"],
    ["SSA-12: an unknown field", { spec: { nope: 1 } }, 500, ".spec.nope: field not declared"],
    ["SSA-5: another name", { metadata: { name: "x" } }, 400, "does not match the name on the URL"],
  ])("rejects %s", async (_what, scale, status, message) => {
    const scaler = new Scaler();
    await scaler.applyDeployment("one");
    const refused = await scaler.applyScale("two", scale, "&force=true");
    expect(refused.status).toBe(status);
    expect(refused.body["message"]).toContain(message);
  });

  test("SSA-8: returns 404 for a missing object", async () => {
    expect((await new Scaler().applyScale("two", { spec: { replicas: 5 } })).status).toBe(404);
  });
});
