import { createClient, createConnection } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { answering } from "../support/answering.ts";
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
