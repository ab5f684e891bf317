import { describe, expect, test } from "vitest";
import { aggregatedDiscoveryDocument } from "../../src/discovery/aggregated.ts";
import { compareVersions } from "../../src/api/api-versions.ts";
import { healthAnswer } from "../../src/discovery/health.ts";
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
  rootPathsDocument,
} from "../../src/discovery/legacy.ts";
import { sha256Hex } from "../../src/discovery/sha256.ts";
import { versionDocument } from "../../src/discovery/version.ts";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import type { ResourceDefinition } from "../../src/api/resource-definition.ts";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { ApiClient, type Json } from "../support/api-client.ts";
import { version, widgets } from "../support/widgets.ts";

const planets: ResourceDefinition = {
  ...widgets,
  group: "disc-cluster.golden.example.com",
  plural: "planets",
  singular: "planet",
  kind: "Planet",
  listKind: "PlanetList",
  shortNames: [],
  categories: [],
  namespaced: false,
  versions: [version("v1")],
};
const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

describe("legacy discovery (API-1.3)", () => {
  test("names the versions of the core group and the address of the server", () => {
    expect(apiVersionsDocument("127.0.0.1:8080")).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:8080" }],
    });
  });

  test("lists groups with the preferred version first, and not the core group", () => {
    const v1 = { groupVersion: "example.com/v1", version: "v1" };
    const group = {
      name: "example.com",
      versions: [v1, { groupVersion: "example.com/v1beta1", version: "v1beta1" }],
      preferredVersion: v1,
    };
    expect(apiGroupDocument([widgets], "example.com")).toEqual({
      kind: "APIGroup",
      apiVersion: "v1",
      ...group,
    });
    expect(apiGroupListDocument([...builtinResources(), widgets])).toMatchObject({
      kind: "APIGroupList",
      apiVersion: "v1",
    });
    expect(apiGroupListDocument([widgets])["groups"]).toEqual([group]);
    expect(apiGroupDocument(builtinResources(), "")).toBeUndefined();
    expect(apiGroupDocument([widgets], "none")).toBeUndefined();
  });

  test("lists resources and subresources of a version", () => {
    expect(apiResourceListDocument([widgets], "example.com", "v1")).toEqual({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "example.com/v1",
      resources: [
        {
          name: "widgets",
          singularName: "widget",
          namespaced: true,
          kind: "Widget",
          verbs,
          shortNames: ["wd"],
          categories: ["all"],
          storageVersionHash: expect.stringMatching(/^[A-Za-z0-9+/]{11}=$/) as string,
        },
        {
          name: "widgets/status",
          singularName: "",
          namespaced: true,
          kind: "Widget",
          verbs: ["get", "patch", "update"],
        },
        {
          name: "widgets/scale",
          singularName: "",
          namespaced: true,
          group: "autoscaling",
          version: "v1",
          kind: "Scale",
          verbs: ["get", "patch", "update"],
        },
      ],
    });
    expect(apiResourceListDocument([widgets], "example.com", "v2")).toBeUndefined();
  });

  test("hashes the storage version like a real server", () => {
    expect(apiResourceListDocument([planets], planets.group, "v1")).toMatchObject({
      resources: [{ storageVersionHash: "/FXTIqsjyo8=" }],
    });
  });
});

describe("aggregated discovery (API-1.3)", () => {
  test("describes everything in one document", () => {
    const responseKind = { group: "example.com", version: "v1", kind: "Widget" };
    const document = aggregatedDiscoveryDocument([widgets], "/apis");
    expect(document).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: "apidiscovery.k8s.io/v2",
      metadata: {},
    });
    expect(document["items"]).toMatchObject([
      {
        metadata: { name: "example.com" },
        versions: [
          {
            version: "v1",
            freshness: "Current",
            resources: [
              {
                resource: "widgets",
                responseKind,
                scope: "Namespaced",
                singularResource: "widget",
                verbs,
                shortNames: ["wd"],
                categories: ["all"],
                subresources: [
                  { subresource: "status", responseKind },
                  {
                    subresource: "scale",
                    responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
                  },
                ],
              },
            ],
          },
          { version: "v1beta1" },
        ],
      },
    ]);
  });

  test("keeps the core group at /api and the others at /apis", () => {
    const names = (path: "/api" | "/apis"): unknown =>
      aggregatedDiscoveryDocument([...builtinResources(), widgets], path)["items"];
    expect(names("/api")).toMatchObject([{ metadata: {}, versions: [{ version: "v1" }] }]);
    expect(names("/apis")).toContainEqual(expect.objectContaining({ metadata: { name: "apps" } }));
    expect(names("/apis")).toContainEqual(
      expect.objectContaining({ metadata: { name: "example.com" } }),
    );
  });

  test("orders versions by Kubernetes' version priority", () => {
    const versions = ["foo", "v1alpha1", "v1beta2", "v10", "v1beta10", "bar", "v2", "v1"];
    expect(versions.toSorted(compareVersions)).toEqual([
      "v10",
      "v2",
      "v1",
      "v1beta10",
      "v1beta2",
      "v1alpha1",
      "bar",
      "foo",
    ]);
  });
});

describe("version, health and index (API-1.5)", () => {
  test("returns a version that kubectl can read", () => {
    expect(versionDocument()).toMatchObject({
      major: "1",
      minor: "37",
      gitVersion: "v1.37.2",
      platform: "linux/amd64",
    });
    expect(versionDocument("1.34")).toMatchObject({ minor: "34", gitVersion: "v1.34.0" });
    expect(() => versionDocument("latest")).toThrow(RangeError);
  });

  test("returns ok, lists the checks, and excludes some", () => {
    const ask = (path: string, query = "", failing: readonly string[] = []): object | undefined =>
      healthAnswer(path, new URLSearchParams(query), { failing: new Set(failing) });
    expect(ask("/healthz")).toEqual({ status: 200, text: "ok", nosniff: true });
    expect(ask("/livez/ping")).toEqual({ status: 200, text: "ok", nosniff: false });
    expect(ask("/livez/none")).toBeUndefined();
    expect(ask("/healthz/")).toBeUndefined();
    expect(ask("/health")).toBeUndefined();
    expect(ask("/readyz", "verbose&exclude=etcd&exclude=x")).toEqual({
      status: 200,
      text: '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\nwarn: some health checks cannot be excluded: no matches for "x"\nreadyz check passed\n',
      nosniff: true,
    });
    expect(ask("/readyz", "", ["etcd"])).toEqual({
      status: 500,
      text: "[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\nreadyz check failed\n",
      nosniff: true,
    });
    expect(ask("/readyz/etcd", "", ["etcd"])).toMatchObject({ status: 500 });
  });

  test("lists the existing paths, sorted", () => {
    const { paths } = rootPathsDocument([...builtinResources(), widgets]) as {
      readonly paths: readonly string[];
    };
    expect(paths).toEqual(
      expect.arrayContaining([
        "/api",
        "/api/v1",
        "/apis/apps/v1",
        "/apis/example.com",
        "/healthz",
        "/livez/ping",
        "/openapi/v3",
        "/version",
      ]),
    );
    expect(paths).toEqual(paths.toSorted());
  });

  test("computes SHA-256 (FIPS 180-4)", () => {
    expect(sha256Hex("abc")).toBe(
      "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
    );
    expect(sha256Hex("")).toBe("E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855");
    expect(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1",
    );
  });
});

describe("discovery of built-in groups (API-1.4)", () => {
  test("groups are in the order of their priorities", async () => {
    const { body } = await new ApiClient(new FakeApiServer()).get("/apis");

    expect(body["groups"].slice(0, 7).map(({ name }: Json) => name)).toEqual([
      "apiregistration.k8s.io",
      "apps",
      "events.k8s.io",
      "authentication.k8s.io",
      "authorization.k8s.io",
      "autoscaling",
      "batch",
    ]);
    expect(body["groups"].at(-1).name).toBe("storagemigration.k8s.io");
  });

  // Recorded from kube-apiserver 1.37.2, which stores some kinds in an older version.
  test.each([
    ["/apis/events.k8s.io/v1", "events", "r2yiGXH7wu8="],
    ["/api/v1", "events", "r2yiGXH7wu8="],
    ["/apis/apiextensions.k8s.io/v1", "customresourcedefinitions", "jfWCUB31mvA="],
    ["/apis/admissionregistration.k8s.io/v1", "mutatingadmissionpolicies", "mHCkTKpUTrE="],
    ["/apis/certificates.k8s.io/v1", "clustertrustbundles", "v5yhuVertL4="],
    ["/apis/admissionregistration.k8s.io/v1", "mutatingadmissionpolicybindings", "ZKgZT1uTmZ0="],
  ])("%s: the storage hash of %s is %s", async (path, name, hash) => {
    const { body } = await new ApiClient(new FakeApiServer()).get(path);
    const resource = body["resources"].find((one: Json) => one["name"] === name);

    expect(resource.storageVersionHash).toBe(hash);
  });
});
