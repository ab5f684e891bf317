import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Answer } from "../support/api-client.ts";

const plain = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
const streams = "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

function get(client: ApiClient, path: string, accept: string): Promise<Answer> {
  return client.call("GET", path, undefined, { headers: { accept } });
}

// Messages recorded from kube-apiserver 1.36.3.
describe("unavailable media types", () => {
  test.each([
    ["/api/v1/namespaces/default/configmaps", `${plain}, ${streams}`],
    ["/api/v1/pods?watch=1", `${plain}, ${streams}`],
    ["/api/v1/namespaces/default", plain],
    ["/api/v1", plain],
    ["/api", plain],
  ])("%s returns 406 for them", async (path, available) => {
    const { body, status } = await get(new ApiClient(new FakeApiServer()), path, "text/html");

    expect(status).toBe(406);
    expect(body["message"]).toBe(`406: Not Acceptable\n\nAvailable representations: ${available}`);
    expect(body["details"]).toEqual({});
  });

  test.each([
    ["/apis", "text/html"],
    ["/apis/apps", "text/html"],
    ["/api/v1/pods?watch=1", "application/json;as=Unknown;g=meta.k8s.io;v=v1"],
    ["/api/v1/namespaces/default", "application/json;as=Unknown;g=meta.k8s.io;v=v1"],
  ])("%s rejects %s with the message of the serializer", async (path, accept) => {
    const { body, status } = await get(new ApiClient(new FakeApiServer()), path, accept);

    expect(status).toBe(406);
    expect(body["message"]).toBe(`only the following media types are accepted: ${plain}`);
  });
});

test.each([
  ["application/json;q=0.1,application/yaml;q=0.9", "yaml"],
  ["application/yaml; q=0.9, application/json", "json"],
  ["application/yaml;q=0.5,*/*", "json"],
  ["*/*,application/yaml", "yaml"],
  ["application/yaml;q=0,application/json", "json"],
  ["application/yaml;q=x,application/json;q=0.5", "json"],
  ["application/json;q=0.5,application/yaml;q=0.5", "json"],
])("of %s the preferred one is %s (API-1.2)", async (accept, format) => {
  const client = new ApiClient(new FakeApiServer());
  const response = await client.send("GET", "/api/v1", undefined, { headers: { accept } });

  expect(response.headers.get("content-type")).toBe(`application/${format}`);
});

test("a watch does not support YAML, a list does (API-1.10)", async () => {
  const client = new ApiClient(new FakeApiServer());
  const headers = { accept: "application/yaml" };
  const response = await client.send("GET", "/api/v1/pods?watch=1", undefined, { headers });

  expect(response.status).toBe(406);
  expect(await response.text()).toContain(
    `only the following media types are accepted: ${streams}`,
  );
});

describe("a list view", () => {
  const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  const path = "/api/v1/namespaces/default/configmaps";

  test("is rejected for a single built-in object (API-1.6)", async () => {
    const client = new ApiClient(new FakeApiServer());
    await client.createConfigMap("a");
    const { body, status } = await get(client, `${path}/a`, accept);

    expect([status, body["reason"]]).toEqual([406, "NotAcceptable"]);
    expect(body["message"]).toBe(
      "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
    );
  });

  test("ends a watch silently at its first object or bookmark (API-1.6)", async () => {
    const client = new ApiClient(new FakeApiServer());
    const query = "watch=1&allowWatchBookmarks=true";
    const begun = await client.watch(`${path}?${query}`, { headers: { accept } });
    expect(begun.response.status).toBe(200);
    expect(await begun.rest()).toEqual([]);
    const version = (await client.get(path)).body["metadata"]["resourceVersion"];
    const later = `${path}?${query}&resourceVersion=${version}`;
    const watch = await client.watch(later, { headers: { accept } });
    await client.createConfigMap("a");
    expect(await watch.rest()).toEqual([]);
  });

  test("includes the error of a watch (API-1.6)", async () => {
    const client = new ApiClient(new FakeApiServer());
    await client.createConfigMap("a");
    const watch = await client.watch(`${path}?watch=1&resourceVersion=1`, { headers: { accept } });
    expect(await watch.rest()).toEqual(["ERROR 410"]);
  });
});

describe("other views of a Scale", () => {
  async function start(): Promise<ApiClient> {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    await client.call("POST", "/apis/apps/v1/namespaces/default/deployments", {
      metadata: { name: "d" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "d" } },
        template: {
          metadata: { labels: { app: "d" } },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
      },
    });
    return client;
  }
  const scale = "/apis/apps/v1/namespaces/default/deployments/d/scale";

  test("a table has the desired and the available replicas", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const { body } = await get(await start(), scale, accept);

    expect(body["kind"]).toBe("Table");
    const columns = body["columnDefinitions"].map(({ name }: { name: string }) => name);
    expect(columns).toEqual(["Name", "Desired", "Available", "Age"]);
    expect(body["rows"][0].cells.slice(0, 3)).toEqual(["d", 3, 0]);
    expect(body["rows"][0].object.kind).toBe("PartialObjectMetadata");
  });

  test("metadata comes from the scaled object", async () => {
    const accept = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    const { body } = await get(await start(), scale, accept);

    expect(body["kind"]).toBe("PartialObjectMetadata");
    expect(body["metadata"].name).toBe("d");
  });

  test("a patch to a string is rejected as an invalid patch", async () => {
    const client = await start();
    const { body, status } = await client.call("PATCH", scale, { spec: { replicas: "x" } });

    expect(status).toBe(422);
    expect(body["details"].causes[0].field).toBe("patch");
    expect(body["message"]).toContain(
      "json: cannot unmarshal string into Go struct field ScaleSpec.spec.replicas of type int32",
    );
  });
});
