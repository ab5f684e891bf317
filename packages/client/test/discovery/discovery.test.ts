import { createClient, createConnection } from "@listwatch/client";
import { ListwatchError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

function setUp() {
  const api = new FakeApiServer();
  const clock = new SimulatedClock();
  const paths: string[] = [];
  const connection = createConnection({
    server: "http://fake",
    fetch: async (request) => {
      paths.push(new URL(request.url).pathname);
      return api.fetch(request);
    },
  });
  const client = createClient(connection, { clock });
  return { client, clock, paths };
}

const definition = widgetsCrd(
  { type: "object" },
  { subresources: { status: {} } },
  { shortNames: ["wg"] },
);
const definitions = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};

describe("discovery", () => {
  test("finds resources by plural, singular, short name, kind and group (CLI-13)", async () => {
    const { client, paths } = setUp();
    const { discovery } = client;
    for (const name of [
      "deployments",
      "deployment",
      "deploy",
      "Deployment",
      "deployments.apps",
      "deployments.v1.apps",
    ]) {
      expect(await discovery.forResource(name)).toMatchObject({
        group: "apps",
        version: "v1",
        resource: "deployments",
        kind: "Deployment",
        scope: "Namespaced",
        subresources: expect.arrayContaining(["status", "scale"]) as unknown,
      });
    }
    expect(await discovery.forResource("deployments.example.com")).toBeUndefined();
    expect(await discovery.forKind({ apiVersion: "v1", kind: "Node" })).toMatchObject({
      resource: "nodes",
      scope: "Cluster",
    });
    expect(await discovery.forKind({ apiVersion: "apps/v1", kind: "Node" })).toBeUndefined();
    expect(await discovery.preferredVersion("autoscaling")).toBe("v2");
    expect(paths.toSorted()).toEqual(["/api", "/apis"]);
  });

  test("requests again what it does not find, at most every 10 s (CLI-13)", async () => {
    const { client, clock, paths } = setUp();
    expect(await client.discovery.forResource("wg")).toBeUndefined();
    await client.resource(definitions).create(definition);
    expect(await client.discovery.forResource("wg")).toBeUndefined();
    await clock.advance(10_000);
    expect(await client.discovery.forResource("wg")).toMatchObject({ kind: "Widget" });
    await client.discovery.forResource("wg");
    expect(paths.filter((path) => path === "/apis")).toHaveLength(2);
    await clock.advance(600_000);
    await client.discovery.resources();
    expect(paths.filter((path) => path === "/apis")).toHaveLength(3);
  });

  test("requests immediately after an invalidation, also during a request (CLI-13)", async () => {
    const { client, paths } = setUp();
    const { discovery } = client;
    expect(await discovery.forResource("wg")).toBeUndefined();
    await client.resource(definitions).create(definition);
    discovery.invalidate();
    expect(await discovery.forResource("wg")).toMatchObject({ kind: "Widget" });
    expect(paths.filter((path) => path === "/apis")).toHaveLength(2);

    await client.resource(definitions).delete("widgets.example.com");
    discovery.invalidate();
    const old = discovery.resources();
    await client.resource(definitions).create(definition);
    discovery.invalidate();
    await old;
    expect(await discovery.forResource("wg")).toMatchObject({ kind: "Widget" });
  });

  test("shares one request among all callers (CLI-13)", async () => {
    const { client, paths } = setUp();
    await Promise.all(["pods", "nodes", "po"].map((name) => client.discovery.forResource(name)));
    expect(paths).toHaveLength(2);
  });

  test("reads the documents of older servers, and reports unavailable groups (CLI-13)", async () => {
    const documents: Readonly<Record<string, object>> = {
      "/api": { kind: "APIVersions", versions: ["v1"] },
      "/apis": {
        kind: "APIGroupList",
        groups: [
          {
            name: "apps",
            versions: [{ groupVersion: "apps/v1beta1" }, { groupVersion: "apps/v1" }],
            preferredVersion: { groupVersion: "apps/v1" },
          },
          { name: "metrics.k8s.io", versions: [{ groupVersion: "metrics.k8s.io/v1beta1" }] },
        ],
      },
      "/api/v1": {
        groupVersion: "v1",
        resources: [
          { name: "pods", kind: "Pod", namespaced: true, shortNames: ["po"], verbs: ["get"] },
          { name: "pods/log", kind: "Pod", namespaced: true, verbs: ["get"] },
        ],
      },
      "/apis/apps/v1": {
        groupVersion: "apps/v1",
        resources: [{ name: "deployments", kind: "Deployment", namespaced: true }],
      },
      "/apis/apps/v1beta1": { groupVersion: "apps/v1beta1", resources: [] },
    };
    const { connection } = answering(({ url }) => {
      const document = documents[new URL(url).pathname];
      return document === undefined
        ? new Response("away", { status: 503 })
        : Response.json(document);
    });
    const { discovery } = createClient(connection, { retries: 0 });
    expect(await discovery.forResource("po")).toMatchObject({
      group: "",
      version: "v1",
      resource: "pods",
      subresources: ["log"],
    });
    expect(await discovery.preferredVersion("apps")).toBe("v1");
    expect((await discovery.resources()).stale).toEqual(["metrics.k8s.io/v1beta1"]);
  });

  test("reports stale groups, and reads a missing group of a kind as the resource's group (CLI-13)", async () => {
    const aggregated = (items: readonly object[]) => ({ kind: "APIGroupDiscoveryList", items });
    const { connection } = answering(({ url }) =>
      Response.json(
        url.endsWith("/api")
          ? aggregated([])
          : aggregated([
              {
                metadata: { name: "metrics.k8s.io" },
                versions: [
                  {
                    version: "v1",
                    freshness: "Stale",
                    resources: [
                      {
                        resource: "nodes",
                        responseKind: { group: "", version: "", kind: "NodeMetrics" },
                        scope: "Cluster",
                      },
                    ],
                  },
                ],
              },
            ]),
      ),
    );
    const { discovery } = createClient(connection);
    expect((await discovery.resources()).stale).toEqual(["metrics.k8s.io/v1"]);
    const found = await discovery.forKind({ apiVersion: "metrics.k8s.io/v1", kind: "NodeMetrics" });
    expect(found?.resource).toBe("nodes");
  });
});

/** The discovery of a server without aggregated documents, one of whose groups is sick. */
function withSickGroup(sick: () => Response | Promise<Response>, core: Response | undefined) {
  const version = (groupVersion: string): object => ({
    versions: [{ groupVersion }],
    preferredVersion: { groupVersion },
  });
  const documents: Readonly<Record<string, object>> = {
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/api/v1": { kind: "APIResourceList", groupVersion: "v1", resources: [{ name: "pods" }] },
    "/apis": { groups: [version("metrics.k8s.io/v1beta1"), version("apps/v1")] },
    "/apis/apps/v1": {
      kind: "APIResourceList",
      groupVersion: "apps/v1",
      resources: [{ name: "deployments", kind: "Deployment", namespaced: true }],
    },
  };
  const clock = new SimulatedClock();
  const { connection } = answering(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/api") && core !== undefined && !pathname.startsWith("/apis")) {
      return core.clone();
    }
    const document = documents[pathname];
    return document === undefined ? sick() : Response.json(document);
  });
  const { discovery } = createClient(connection, { clock, timeoutMs: 2000, retries: 0 });
  return { discovery, clock };
}

describe("a group whose server is sick", () => {
  const sicknesses: readonly (readonly [string, () => Response | Promise<Response>])[] = [
    ["hangs", () => new Promise(() => undefined)],
    ["hangs in its answer", () => new Response(new ReadableStream())],
    ["is not reached", () => Promise.reject(new TypeError("fetch failed"))],
    ["answers with HTML", () => new Response("<html>")],
    ["answers with half a document", () => new Response('{"kind":')],
    ["answers with another kind", () => Response.json({ kind: "Status", status: "Success" })],
    ["answers with a list", () => Response.json([])],
    ["fails", () => new Response("away", { status: 503 })],
  ];

  test.each(sicknesses)("hides no other group, and is named: it %s", async (_, sick) => {
    const { discovery, clock } = withSickGroup(sick, undefined);
    const finding = discovery.forKind({ apiVersion: "apps/v1", kind: "Deployment" });
    await clock.advance(2000);
    expect(await finding).toMatchObject({ resource: "deployments" });
    const { failures, stale } = await discovery.resources();
    expect(stale).toEqual(["metrics.k8s.io/v1beta1"]);
    expect(failures).toEqual([
      { groupVersion: "metrics.k8s.io/v1beta1", error: expect.any(ListwatchError) as unknown },
    ]);
    const searches = [
      () => discovery.forKind({ apiVersion: "metrics.k8s.io/v1beta1", kind: "NodeMetrics" }),
      () => discovery.forResource("nodes.metrics.k8s.io"),
      () => discovery.preferredVersion("metrics.k8s.io"),
    ];
    for (const search of searches) {
      expect(await failureOf(search())).toMatchObject({
        code: "LW_GROUP_DISCOVERY",
        message: expect.stringContaining("metrics.k8s.io/v1beta1") as unknown,
        cause: failures[0]?.error,
      });
    }
    // A search in no group is answered by the groups that work.
    expect(await discovery.forResource("nothing")).toBeUndefined();
    expect(await discovery.forKind({ apiVersion: "apps/v1", kind: "Nothing" })).toBeUndefined();
  });

  test("is found as soon as it works, after ten seconds at most", async () => {
    let isSick = true;
    const { discovery, clock } = withSickGroup(() => {
      if (isSick) return new Response("<html>");
      const resources = [{ name: "nodes", kind: "NodeMetrics" }];
      return Response.json({ groupVersion: "metrics.k8s.io/v1beta1", resources });
    }, undefined);
    const search = () => discovery.forResource("nodes.metrics.k8s.io");
    expect(await failureOf(search())).toMatchObject({ code: "LW_GROUP_DISCOVERY" });
    isSick = false;
    await clock.advance(10_000);
    expect(await search()).toMatchObject({ kind: "NodeMetrics" });
  });

  test.each([403, 404])("may be the core group, which a server need not have: %i", async (code) => {
    const sick = (): Response => new Response("<html>");
    const { discovery } = withSickGroup(sick, new Response("no", { status: code }));
    expect(await discovery.forResource("deployments")).toMatchObject({ group: "apps" });
  });

  test("rejects if no group works, with the error of the first one", async () => {
    const { connection } = answering(({ url }) =>
      /apis?$/.test(url)
        ? Response.json({ groups: [{ versions: [{ groupVersion: "a/v1" }] }] })
        : new Response("<html>"),
    );
    const { discovery } = createClient(connection, { retries: 0 });
    expect(await failureOf(discovery.resources())).toMatchObject({ code: "LW_DECODE" });
    const refusing = answering(() => new Response("no", { status: 403 })).connection;
    const refused = createClient(refusing, { retries: 0 }).discovery;
    expect(await failureOf(refused.resources())).toMatchObject({ code: "LW_STATUS" });
  });
});
