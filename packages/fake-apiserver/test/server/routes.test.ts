import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, configMaps } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const widgets = "/apis/example.com/v1/namespaces/default/widgets";

function setUp(): ApiClient {
  return new ApiClient(new FakeApiServer({ crds: [widgetsCrd({ type: "object" })] }));
}

async function statusOf(method: string, path: string, headers = {}): Promise<number> {
  return (await setUp().send(method, path, undefined, { headers })).status;
}

function accepting(path: string, accept: string): Promise<Answer> {
  return setUp().call("GET", path, undefined, { headers: { accept } });
}

// Recorded from kube-apiserver 1.36.3.
describe("HEAD", () => {
  test.each([
    [405, configMaps],
    [405, `${configMaps}/none`],
    [405, "/api"],
    [405, "/api/v1"],
    [405, "/apis/apps/v1"],
    [405, "/version"],
    [405, "/openid/v1/jwks"],
    [405, "/.well-known/openid-configuration"],
    [200, "/apis"],
    [200, "/apis/apps"],
    [200, "/healthz"],
    [200, widgets],
    [404, `${widgets}/none`],
  ])("is answered with %i at %s (API-1.2)", async (status, path) => {
    const response = await setUp().send("HEAD", path);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
  });
});

describe("another method", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "%s is not allowed for documents with a route (API-1.2)",
    async (method) => {
      for (const path of ["/api", "/openid/v1/jwks", "/.well-known/openid-configuration"]) {
        expect(await statusOf(method, path)).toBe(405);
      }
    },
  );
});

describe("a path with two slashes in a row", () => {
  test.each([
    ["the server could not find the requested resource", "/api//v1/namespaces/default/configmaps"],
    ["the server could not find the requested resource", "/api//v1"],
    ["the server could not find the requested resource", "/apis/apps//v1"],
    ["the server could not find the requested resource", `${configMaps}//a`],
  ])("in an existing group names no resource: %s %s (API-1.2)", async (message, path) => {
    const { body, status } = await setUp().get(path);
    expect([status, body["message"]]).toEqual([404, message]);
  });

  test.each([`/${configMaps}`, "//api/v1", "//apis", "/apis//apps/v1"])(
    "names no path outside of one: %s (API-1.2)",
    async (path) => {
      const client = setUp();
      await client.createConfigMap("a");
      for (const method of ["GET", "DELETE"]) {
        const response = await client.send(method, path);
        expect([response.status, await response.text()]).toEqual([404, "404 page not found\n"]);
      }
      expect((await client.get(configMaps)).body["items"]).toHaveLength(1);
    },
  );

  test.each([`${configMaps}/`, `${configMaps}//`, "/api/v1/", "/apis/apps/"])(
    "is accepted at the end: %s",
    async (path) => {
      expect(await statusOf("GET", path)).toBe(200);
    },
  );
});

test("a path below /version is a 404 like that of an existing group (API-1.5)", async () => {
  const { body, status } = await setUp().get("/version/x");
  expect([status, body["reason"]]).toEqual([404, "NotFound"]);
});

test("a missing OpenAPI document is an empty 404 (API-1.4)", async () => {
  const response = await setUp().send("GET", "/openapi/v3/apis/none/v1");
  expect([response.status, await response.text()]).toEqual([404, ""]);
  expect(response.headers.get("content-type")).toBeNull();
});

test("bindings of all namespaces have no path (API-1.2)", async () => {
  for (const method of ["GET", "POST", "PUT"]) {
    expect(await statusOf(method, "/api/v1/bindings")).toBe(404);
    expect(await statusOf(method === "GET" ? "PUT" : method, "/api/v1/configmaps")).toBe(405);
  }
});

test.each(["application/json; x", ";", "; charset=utf-8"])(
  "a body of the type %j is unsupported (API-1.11)",
  async (type) => {
    const headers = { "content-type": type };
    const { status } = await setUp().call("POST", configMaps, { metadata: {} }, { headers });
    expect(status).toBe(415);
  },
);

test("an object can no longer be exported (API-1.7)", async () => {
  const client = setUp();
  await client.createConfigMap("a");
  const { body, status } = await client.get(`${configMaps}/a?export=true`);
  expect([status, body["message"]]).toEqual([
    400,
    "the export parameter, deprecated since v1.14, is no longer supported",
  ]);
  expect((await client.get(`${configMaps}/a?export=0`)).status).toBe(200);
});

describe("a route", () => {
  test.each([
    ["/version", "text/html", "application/json"],
    ["/.well-known/openid-configuration", "text/html", "application/json"],
    ["/openid/v1/jwks", "application/json", "application/jwk-set+json"],
  ])("%s does not support %s (API-1.2)", async (path, accept, available) => {
    const { body, status } = await accepting(path, accept);
    expect(status).toBe(406);
    expect(body["message"]).toBe(`406: Not Acceptable\n\nAvailable representations: ${available}`);
  });

  test("rejects a range of types, which paths without a route accept (API-1.2)", async () => {
    for (const path of [configMaps, `${configMaps}/none`, "/api", "/api/v1", "/version"]) {
      expect(await statusOf("GET", path, { accept: "application/*" })).toBe(406);
      expect(await statusOf("GET", path, { accept: "application/*, */*;q=0.1" })).not.toBe(406);
    }
    for (const path of ["/apis", "/apis/apps", widgets]) {
      expect(await statusOf("GET", path, { accept: "application/*" })).toBe(200);
    }
  });
});
