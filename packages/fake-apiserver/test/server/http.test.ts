import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { parseRequestInfo } from "../../src/input/request-info.ts";
import { ApiClient, configMaps } from "../support/api-client.ts";

function info(path: string, method = "GET"): ReturnType<typeof parseRequestInfo> {
  return parseRequestInfo(new Request(`http://localhost:8080${path}`, { method }));
}

describe("parseRequestInfo", () => {
  test.each([
    ["/api/v1/pods", "list", "", "pods", "", ""],
    ["/api/v1/pods?watch=1", "watch", "", "pods", "", ""],
    ["/api/v1/pods?watch=maybe", "watch", "", "pods", "", ""],
    ["/api/v1/pods?watch=false", "list", "", "pods", "", ""],
    ["/api/v1/pods?watch=0", "list", "", "pods", "", ""],
    ["/api/v1/watch/namespaces/a/pods", "watch", "a", "pods", "", ""],
    ["/api/v1/namespaces", "list", "", "namespaces", "", ""],
    ["/api/v1/namespaces/a", "get", "", "namespaces", "a", ""],
    ["/api/v1/namespaces/a/status", "get", "", "namespaces", "a", "status"],
    ["/api/v1/namespaces/a/finalize", "get", "", "namespaces", "a", "finalize"],
    ["/api/v1/namespaces/a/pods/p/log", "get", "a", "pods", "p", "log"],
    ["/apis/apps/v1/namespaces/a/deployments/d/scale", "get", "a", "deployments", "d", "scale"],
    ["/apis/example.com/v1/widgets/a%20b", "get", "", "widgets", "a b", ""],
    ["/apis/example.com/v1/widgets/%zz", "get", "", "widgets", "%zz", ""],
  ])("reads GET %s as %s", (path, verb, namespace, resource, name, subresource) => {
    expect(info(path)).toMatchObject({
      isResource: true,
      verb,
      namespace,
      resource,
      name,
      subresource,
    });
  });

  test.each([
    ["a=1&a=2&b", "a=1&a=2&b="],
    ["a=1;b=2&c=3", "c=3"],
    ["a=%zz&b=%2&c=%41%", ""],
    ["a=%41&b=%C3%A9", "a=A&b=%C3%A9"],
  ])("reads the query %s as %j", (search, pairs) => {
    expect(info(`/api/v1/pods?${search}`).query.toString()).toBe(pairs);
  });

  test.each([
    ["POST", "/api/v1/pods", "create"],
    ["PUT", "/api/v1/pods/p", "update"],
    ["PATCH", "/api/v1/pods/p", "patch"],
    ["DELETE", "/api/v1/pods/p", "delete"],
    ["DELETE", "/api/v1/pods", "deletecollection"],
    ["HEAD", "/api/v1/pods/p", "get"],
    ["OPTIONS", "/api/v1/pods/p", ""],
  ])("reads %s %s as %j", (method, path, verb) => {
    expect(info(path, method).verb).toBe(verb);
  });

  test.each(["/", "/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/version", "/x/y/z"])(
    "reads %s as a path without resource",
    (path) => {
      expect(info(path)).toMatchObject({ isResource: false, verb: "", path });
    },
  );
});

function get(
  server: FakeApiServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return server.fetch(new Request(`http://localhost${path}`, { headers }));
}

describe("a response", () => {
  test("has the headers of every response", async () => {
    const { headers } = await get(new FakeApiServer(), configMaps);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-cache, private");
    expect(headers.get("audit-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ["text/html", 406],
    ["application/json;as=Table;g=meta.k8s.io;v=v9", 406],
    ["application/json;as=Table;g=meta.k8s.io;v=v9,application/json", 200],
    ["application/vnd.kubernetes.protobuf,application/json", 200],
    ["*/*", 200],
  ])("to the Accept header %s has code %i", async (accept, code) => {
    expect((await get(new FakeApiServer(), configMaps, { accept })).status).toBe(code);
  });

  test("to a body that is not a stream, as in Firefox, is the same", async () => {
    const server = new FakeApiServer();
    const send = async (method: string, body: string | null): Promise<number> => {
      const headers = { "content-type": "application/json" };
      const url = `http://localhost${configMaps}`;
      const request = new Request(url, { method, headers, body });
      Object.defineProperty(request, "body", { value: undefined });
      return (await server.fetch(request)).status;
    };
    const large = `{"metadata":{"name":"b"},"data":{"x":"${"y".repeat(3_200_000)}"}}`;
    expect(await send("POST", '{"metadata":{"name":"a"}}')).toBe(201);
    expect(await send("POST", large)).toBe(413);
    expect(await send("POST", "")).toBe(400);
    expect(await send("DELETE", null)).toBe(200);
  });

  test("to a body above 3 MiB is 413, announced or not", async () => {
    const server = new FakeApiServer();
    const body = `{"metadata":{"name":"a"},"data":{"x":"${"y".repeat(3_200_000)}"}}`;
    for (const headers of [{}, { "content-length": String(body.length) }]) {
      const request = new Request(`http://localhost${configMaps}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
      const response = await server.fetch(request);
      expect(response.status).toBe(413);
      expect(await response.text()).toContain("limit is 3145728");
    }
  });
});

function aggregated(version: string): string {
  return `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

describe("documents", () => {
  test.each([
    ["/api", "APIVersions"],
    ["/apis", "APIGroupList"],
    ["/apis/apps", "APIGroup"],
    ["/apis/apps/v1", "APIResourceList"],
    ["/api/v1", "APIResourceList"],
  ])("%s is an %s", async (path, kind) => {
    const { body, status } = await new ApiClient(new FakeApiServer()).get(path);
    expect(status).toBe(200);
    expect(body["kind"]).toBe(kind);
  });

  test("aggregated discovery has an ETag that saves the body of the second response", async () => {
    const server = new FakeApiServer();
    const accept = aggregated("v2");
    const first = await get(server, "/apis", { accept });
    expect(first.headers.get("content-type")).toBe(accept);
    const etag = first.headers.get("etag") ?? "";
    const second = await get(server, "/apis", { accept, "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
  });

  test.each([
    ["the old form", "application/json", "APIVersions", "APIGroupList"],
    ["a version that is gone", `${aggregated("v2beta1")},*/*`, "APIVersions", "APIGroupList"],
    [
      "the old form before the new one",
      `application/json,${aggregated("v2")}`,
      ...["APIVersions", "APIGroupList"],
    ],
    [
      "all forms, as kubectl does",
      `${aggregated("v2")},${aggregated("v2beta1")},application/json`,
      ...["APIGroupDiscoveryList", "APIGroupDiscoveryList"],
    ],
  ])(
    "discovery is unaggregated or aggregated, depending on Accept: %s (API-0.3)",
    async (_what, accept, ...kinds) => {
      const server = new FakeApiServer();
      const answers = await Promise.all(
        ["/api", "/apis"].map((path) => get(server, path, { accept })),
      );
      const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<unknown>));
      expect(bodies).toMatchObject(kinds.map((kind) => ({ kind })));
      const isAggregated = kinds.includes("APIGroupDiscoveryList");
      for (const { headers } of answers) {
        expect(headers.get("content-type")).toBe(
          isAggregated ? aggregated("v2") : "application/json",
        );
      }
    },
  );

  test("OpenAPI documents are addressed by their hash: another hash redirects to the current one", async () => {
    const server = new FakeApiServer();
    const { body } = await new ApiClient(server).get("/openapi/v3");
    const url = String(body["paths"]["apis/apps/v1"]["serverRelativeURL"]);
    const right = await get(server, url);
    expect(right.headers.get("cache-control")).toBe("public, immutable");
    const wrong = await get(server, "/openapi/v3/apis/apps/v1?hash=0");
    expect(wrong.status).toBe(301);
    expect(wrong.headers.get("location")).toBe(url);
    expect((await get(server, "/openapi/v2")).status).toBe(200);
  });

  test.each([
    ["/version", 405],
    ["/api/v1", 405],
    ["/apis/apps/v1", 405],
    ["/apis", 200],
    ["/apis/apps", 200],
  ])("%s answers %i to a POST (API-1.2)", async (path, code) => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    expect((await client.call("POST", path, {})).status).toBe(code);
  });

  test("/version has the release of the option (API-1.21)", async () => {
    const client = new ApiClient(new FakeApiServer({ serverVersion: "1.34.2" }));
    const { body } = await client.get("/version");
    expect(body).toMatchObject({ major: "1", minor: "34", gitVersion: "v1.34.2" });
  });
});
