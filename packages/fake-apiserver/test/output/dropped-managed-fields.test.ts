import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const drop = "drop=metadata.managedFields";
const widgets = "/apis/example.com/v1/namespaces/default/widgets";

interface Setup {
  readonly client: ApiClient;
  readonly get: (path: string, accept: string) => Promise<Json>;
}

async function setup(managedFieldsOptOut: boolean): Promise<Setup> {
  const crds = [widgetsCrd({ type: "object" })];
  const client = new ApiClient(new FakeApiServer({ crds, managedFieldsOptOut }));
  await client.createConfigMap("a", { key: "value" });
  await client.call("POST", widgets, {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "w", labels: { app: "web" } },
  });
  return {
    client,
    get: async (path, accept) =>
      (await client.call("GET", path, undefined, { headers: { accept } })).body,
  };
}

function hasManagedFields({ metadata }: Json): boolean {
  return "managedFields" in (metadata as Json);
}

// kubernetes/kubernetes pull request 139561.
describe("managed fields that the Accept header drops (KEP-5958)", () => {
  test.each([
    ["an object", `${configMaps}/a`, `application/json;${drop}`],
    [
      "an object of which other members are also dropped",
      `${configMaps}/a`,
      `application/json;drop=spec.x+metadata.managedFields`,
    ],
    ["a custom resource", `${widgets}/w`, `application/json;${drop}`],
    [
      "partial metadata",
      `${configMaps}/a`,
      `application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io;${drop}`,
    ],
  ])("are absent in %s", async (_name, path, accept) => {
    const on = await setup(true);
    const body = await on.get(path, accept);
    expect(body["metadata"]).toMatchObject({ namespace: "default" });
    expect(hasManagedFields(body)).toBe(false);
    expect(hasManagedFields(await on.get(path, "application/json"))).toBe(true);
  });

  test("are absent in lists and in their items' partial metadata", async () => {
    const { get } = await setup(true);
    const view = "as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    for (const path of [configMaps, widgets]) {
      for (const accept of [`application/json;${drop}`, `application/json;${view};${drop}`]) {
        const items = (await get(path, accept))["items"] as Json[];
        expect(items.map(hasManagedFields)).toEqual([false]);
      }
    }
  });

  test("are absent in the answer of a write, and stored", async () => {
    const { client } = await setup(true);
    const headers = {
      accept: `application/json;${drop}`,
      "content-type": "application/merge-patch+json",
    };
    const { body } = await client.call(
      "PATCH",
      `${configMaps}/a`,
      { data: { key: "b" } },
      { headers },
    );
    expect(body["data"]).toEqual({ key: "b" });
    expect(hasManagedFields(body)).toBe(false);
    expect(hasManagedFields((await client.get(`${configMaps}/a`)).body)).toBe(true);
  });

  test("are absent in one of two watches", async () => {
    const { client } = await setup(true);
    const path = `${configMaps}?watch=1`;
    const dropped = await client.watch(path, { headers: { accept: `application/json;${drop}` } });
    const whole = await client.watch(path);
    await client.createConfigMap("b", { key: "value" });
    for (const [reader, expected] of [
      [dropped, false],
      [whole, true],
    ] as const) {
      for (const name of ["a", "b"]) {
        const event = await reader.next();
        expect(event?.object["metadata"]).toMatchObject({ name });
        expect(event && hasManagedFields(event.object)).toBe(expected);
      }
    }
  });

  test("stay if the server does not have the feature, or is asked to drop something else (API-1.21)", async () => {
    const [off, on] = [await setup(false), await setup(true)];
    expect(hasManagedFields(await off.get(`${configMaps}/a`, `application/json;${drop}`))).toBe(
      true,
    );
    expect(hasManagedFields(await on.get(`${configMaps}/a`, "application/json;drop=spec"))).toBe(
      true,
    );
  });
});
