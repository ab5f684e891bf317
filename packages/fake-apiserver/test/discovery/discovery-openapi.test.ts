import { describe, expect, test } from "vitest";
import { loadOpenApiParts, openApiDocuments, openApiIndex } from "../../src/discovery/openapi.ts";
import { sha256Hex } from "../../src/discovery/sha256.ts";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import { version, widgets } from "../support/widgets.ts";

const builtin = await loadOpenApiParts();

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters: readonly object[] }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

function openApi(path: string): OpenApi {
  const document = openApiDocuments([...builtinResources(), widgets], builtin).get(path);
  return JSON.parse(document?.json ?? "null") as OpenApi;
}

describe("OpenAPI v3 (API-1.4)", () => {
  test("indexes each document with the hash of its content", () => {
    const documents = openApiDocuments([...builtinResources(), widgets], builtin);
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

  test("makes kubectl leave the validation to the server", () => {
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

  test("has a path to patch each kind, which kubectl looks for (API-0.2)", () => {
    const patchable = [...builtinResources(), widgets].filter(
      ({ verbs }) => verbs === undefined || verbs.includes("patch"),
    );
    expect(patchable.length).toBeGreaterThan(50);
    for (const { group, kind, namespaced, plural, versions } of patchable) {
      for (const { name } of versions) {
        const root = group === "" ? `api/${name}` : `apis/${group}/${name}`;
        const scope = namespaced ? "/namespaces/{namespace}" : "";
        const patch = openApi(root).paths[`/${root}${scope}/${plural}/{name}`]?.["patch"];
        expect(patch).toMatchObject({
          "x-kubernetes-group-version-kind": { group, version: name, kind },
          parameters: expect.arrayContaining([
            expect.objectContaining({ name: "fieldValidation", in: "query" }),
          ]) as unknown,
        });
      }
    }
  });

  test("has the schema of a custom resource as it was defined, with the fields of every object", () => {
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

  test("refers only to schemas that are in the same document", () => {
    for (const [path, { json }] of openApiDocuments([...builtinResources(), widgets], builtin)) {
      const { schemas } = openApi(path).components;
      const references = [...json.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name = ""]) => name,
      );
      expect(references.filter((name) => schemas[name] === undefined)).toEqual([]);
    }
  });

  test("has the paths of all namespaces and of the subresources", () => {
    const { paths } = openApi("apis/example.com/v1");
    const item = "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}";
    expect(Object.keys(paths)).toEqual([
      "/apis/example.com/v1/namespaces/{namespace}/widgets",
      item,
      `${item}/scale`,
      `${item}/status`,
      "/apis/example.com/v1/widgets",
    ]);
    expect(paths[`${item}/scale`]?.["get"]).toHaveProperty(
      ["responses", "200", "content", "application/json", "schema", "$ref"],
      "#/components/schemas/io.k8s.api.autoscaling.v1.Scale",
    );
  });

  test("adds the fields of every object to embedded resources", () => {
    const pod = { type: "object", "x-kubernetes-embedded-resource": true, required: ["spec"] };
    const schema = { type: "object", properties: { list: { type: "array", items: pod } } };
    const embedding = { ...widgets, versions: [version("v1", { schema })] };
    const { json = "" } = openApiDocuments([embedding], builtin).get("apis/example.com/v1") ?? {};
    const { components } = JSON.parse(json) as OpenApi;
    expect(components.schemas["com.example.v1.Widget"]).toHaveProperty(
      ["properties", "list", "items"],
      expect.objectContaining({
        required: ["spec", "kind", "apiVersion"],
        properties: expect.objectContaining({
          apiVersion: expect.anything() as unknown,
        }) as unknown,
      }),
    );
  });

  test("documents fields for kubectl explain", () => {
    const { schemas } = openApi("apis/apps/v1").components;
    expect(schemas["io.k8s.api.apps.v1.DeploymentSpec"]).toMatchObject({
      required: ["selector", "template"],
      properties: {
        replicas: {
          type: "integer",
          format: "int32",
          description: expect.stringContaining("Number of desired pods.") as unknown,
        },
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

  test("describes every built-in kind and list", () => {
    for (const { group, kind, listKind, verbs, versions } of builtinResources()) {
      const name = versions[0]?.name ?? "";
      const path = group === "" ? `api/${name}` : `apis/${group}/${name}`;
      const kinds = Object.values(openApi(path).components.schemas).flatMap(
        (schema) => schema["x-kubernetes-group-version-kind"] ?? [],
      );
      expect(kinds).toContainEqual({ group, version: name, kind });
      if (verbs?.includes("list") === false) continue;
      expect(kinds).toContainEqual({ group, version: name, kind: listKind });
    }
  });
});
