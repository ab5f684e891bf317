import { describe, expect, it } from "vitest";
import { aggregatedDiscoveryDocument } from "../src/discovery/aggregated.ts";
import { compareVersions } from "../src/discovery/api-groups.ts";
import { healthAnswer } from "../src/discovery/health.ts";
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
} from "../src/discovery/legacy.ts";
import { openApiDocuments, openApiIndex } from "../src/discovery/openapi.ts";
import { rootPathsDocument } from "../src/discovery/root-paths.ts";
import { sha256Hex } from "../src/discovery/sha256.ts";
import { versionDocument } from "../src/discovery/version.ts";
import { builtinResources } from "../src/resources/builtin/builtin-resources.ts";
import type { ResourceDefinition, ServedVersion } from "../src/resources/resource-definition.ts";

function version(name: string, rest: Partial<ServedVersion> = {}): ServedVersion {
  return { name, deprecated: false, columns: [], selectableFields: [], status: false, ...rest };
}

const widgets: ResourceDefinition = {
  group: "example.com",
  plural: "widgets",
  singular: "widget",
  kind: "Widget",
  listKind: "WidgetList",
  shortNames: ["wd"],
  categories: ["all"],
  namespaced: true,
  custom: true,
  versions: [
    version("v1beta1"),
    version("v1", {
      status: true,
      scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" },
      schema: { type: "object", description: "A widget", properties: { spec: { type: "object" } } },
    }),
  ],
  storageVersion: "v1",
  unconditionalUpdate: false,
  createOnUpdate: false,
  hasGeneration: true,
  returnsDeletedObject: false,
  graceful: false,
};
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

describe("legacy discovery (api-server §1.3)", () => {
  it("names the versions of the core group and the address of the server", () => {
    expect(apiVersionsDocument("127.0.0.1:8080")).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:8080" }],
    });
  });

  it("lists groups with the preferred version first, and not the core group", () => {
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

  it("lists resources and subresources of a version", () => {
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

  it("hashes the storage version as the real server does", () => {
    expect(apiResourceListDocument([planets], planets.group, "v1")).toMatchObject({
      resources: [{ storageVersionHash: "/FXTIqsjyo8=" }],
    });
  });
});

describe("aggregated discovery (api-server §1.3)", () => {
  it("describes everything in one document", () => {
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

  it("keeps the core group at /api and the others at /apis", () => {
    const names = (path: "/api" | "/apis"): unknown =>
      aggregatedDiscoveryDocument([...builtinResources(), widgets], path)["items"];
    expect(names("/api")).toMatchObject([{ metadata: {}, versions: [{ version: "v1" }] }]);
    expect(names("/apis")).toContainEqual(expect.objectContaining({ metadata: { name: "apps" } }));
    expect(names("/apis")).toContainEqual(
      expect.objectContaining({ metadata: { name: "example.com" } }),
    );
  });

  it("orders versions as Kubernetes prefers them", () => {
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

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters: readonly object[] }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

function openApi(path: string): OpenApi {
  const document = openApiDocuments([...builtinResources(), widgets]).get(path);
  return JSON.parse(document?.json ?? "null") as OpenApi;
}

describe("OpenAPI v3 (api-server §1.4)", () => {
  it("indexes each document with the hash of its content", () => {
    const documents = openApiDocuments([...builtinResources(), widgets]);
    const { paths } = openApiIndex(documents) as {
      readonly paths: Record<string, { readonly serverRelativeURL: string }>;
    };
    const { json = "", hash } = documents.get("apis/example.com/v1") ?? {};
    expect(hash).toBe(sha256Hex(json));
    expect(paths["apis/example.com/v1"]?.serverRelativeURL).toBe(
      `/openapi/v3/apis/example.com/v1?hash=${hash}`,
    );
    expect(Object.keys(paths)).toContain("api/v1");
  });

  it("has what makes kubectl leave the validation to the server", () => {
    const item =
      openApi("apis/example.com/v1").paths[
        "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}"
      ];
    expect(item?.["patch"]).toMatchObject({
      "x-kubernetes-group-version-kind": { group: "example.com", version: "v1", kind: "Widget" },
    });
    expect(item?.["patch"]?.parameters).toContainEqual(
      expect.objectContaining({ name: "fieldValidation", in: "query" }),
    );
    const namespaces = openApi("api/v1").paths["/api/v1/namespaces/{name}"];
    expect(namespaces?.["patch"]?.parameters).toContainEqual(
      expect.objectContaining({ name: "fieldValidation" }),
    );
  });

  it("gives the schema of a custom resource as it was defined, with the fields every object has", () => {
    expect(
      openApi("apis/example.com/v1").components.schemas["com.example.v1.Widget"],
    ).toMatchObject({
      type: "object",
      description: "A widget",
      "x-kubernetes-group-version-kind": [{ group: "example.com", kind: "Widget", version: "v1" }],
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        metadata: {
          allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }],
        },
        spec: { type: "object" },
      },
    });
  });

  it("refers only to schemas that are in the same document", () => {
    for (const [path, { json }] of openApiDocuments([...builtinResources(), widgets])) {
      const { schemas } = openApi(path).components;
      const references = [...json.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name = ""]) => name,
      );
      expect(references.filter((name) => schemas[name] === undefined)).toEqual([]);
    }
  });

  it("documents fields for kubectl explain", () => {
    const { schemas } = openApi("apis/apps/v1").components;
    expect(schemas["io.k8s.api.apps.v1.DeploymentSpec"]).toMatchObject({
      required: ["selector", "template"],
      properties: {
        replicas: { type: "integer", description: "Number of desired pods. Defaults to 1." },
        template: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec" }] },
      },
    });
    expect(schemas["io.k8s.api.core.v1.Container"]).toMatchObject({ required: ["name"] });
    const { PodSpec, ...rest } = Object.fromEntries(
      Object.entries(openApi("api/v1").components.schemas).map(([name, schema]) => [
        name.split(".").at(-1),
        schema,
      ]),
    );
    expect(PodSpec).toHaveProperty(
      ["properties", "containers", "items", "$ref"],
      "#/components/schemas/io.k8s.api.core.v1.Container",
    );
    expect(rest["Secret"]).toHaveProperty(
      ["properties", "data", "additionalProperties", "type"],
      "string",
    );
  });

  it("describes every built-in kind and list", () => {
    for (const { group, kind, listKind, versions } of builtinResources()) {
      const name = versions[0]?.name ?? "";
      const path = group === "" ? `api/${name}` : `apis/${group}/${name}`;
      const kinds = Object.values(openApi(path).components.schemas).flatMap(
        (schema) => schema["x-kubernetes-group-version-kind"] ?? [],
      );
      expect(kinds).toContainEqual({ group, version: name, kind });
      expect(kinds).toContainEqual({ group, version: name, kind: listKind });
    }
  });
});

describe("version, health and index (api-server §1.5)", () => {
  it("gives a version kubectl can read", () => {
    expect(versionDocument()).toMatchObject({
      major: "1",
      minor: "36",
      gitVersion: "v1.36.4",
      platform: "linux/amd64",
    });
    expect(versionDocument("1.34")).toMatchObject({ minor: "34", gitVersion: "v1.34.0" });
    expect(() => versionDocument("latest")).toThrow(RangeError);
  });

  it("answers ok, lists the checks, and leaves some out", () => {
    const ask = (path: string, query = "", failing: readonly string[] = []): object | undefined =>
      healthAnswer(path, new URLSearchParams(query), { failing: new Set(failing) });
    expect(ask("/healthz")).toEqual({ status: 200, text: "ok", nosniff: true });
    expect(ask("/livez/ping")).toEqual({ status: 200, text: "ok", nosniff: false });
    expect(ask("/livez/none")).toBeUndefined();
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

  it("lists the paths there are, sorted", () => {
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

  it("hashes like SHA-256 (FIPS 180-4)", () => {
    expect(sha256Hex("abc")).toBe(
      "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
    );
    expect(sha256Hex("")).toBe("E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855");
    expect(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1",
    );
  });
});
