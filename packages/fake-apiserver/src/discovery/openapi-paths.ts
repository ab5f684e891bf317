import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ServedResource } from "./api-groups.ts";
import { schemaName, scaleSchema, statusSchema } from "./openapi-schemas.ts";

/** The `paths` of one resource, below the path of its group version. */
export function resourcePaths(resource: ServedResource, root: string): Record<string, JsonObject> {
  const { definition, version } = resource;
  const { plural, namespaced } = definition;
  const operation = new Operations(definition, version.name);
  const everywhere = `${root}/${plural}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : everywhere;
  const item = `${collection}/{name}`;
  const scope = namespaced ? [pathParameter("namespace")] : [];
  const named = [...scope, pathParameter("name")];
  const list = operation.of("list", "list objects of kind");
  const paths: Record<string, JsonObject> = namespaced ? { [everywhere]: { get: list } } : {};
  paths[collection] = {
    parameters: scope,
    get: list,
    post: operation.of("post", "create"),
    delete: operation.of("deletecollection", "delete collection of"),
  };
  paths[item] = {
    parameters: named,
    get: operation.of("get", "read the specified"),
    put: operation.of("put", "replace the specified"),
    patch: operation.of("patch", "partially update the specified"),
    delete: operation.of("delete", "delete"),
  };
  const subresources: [name: string, schema: string | undefined][] = [];
  if (version.status) subresources.push(["status", undefined]);
  if (version.scale !== undefined) subresources.push(["scale", scaleSchema]);
  for (const [name, schema] of subresources) {
    paths[`${item}/${name}`] = {
      parameters: named,
      get: operation.of("get", `read ${name} of the specified`, schema),
      put: operation.of("put", `replace ${name} of the specified`, schema),
      patch: operation.of("patch", `partially update ${name} of the specified`, schema),
    };
  }
  return paths;
}

type Action = "get" | "list" | "put" | "post" | "patch" | "delete" | "deletecollection";

/** What the query may hold. `fieldValidation` tells kubectl that the server validates. */
const parameters: Readonly<Record<Action, readonly string[]>> = {
  get: ["pretty"],
  list: [
    "pretty",
    "labelSelector",
    "fieldSelector",
    "limit",
    "continue",
    "resourceVersion",
    "watch",
  ],
  put: ["pretty", "dryRun", "fieldManager", "fieldValidation"],
  post: ["pretty", "dryRun", "fieldManager", "fieldValidation"],
  patch: ["pretty", "dryRun", "fieldManager", "fieldValidation", "force"],
  delete: ["pretty", "dryRun", "gracePeriodSeconds", "propagationPolicy"],
  deletecollection: ["pretty", "dryRun", "labelSelector", "fieldSelector", "limit", "continue"],
};

/** Writes the operations of one kind. */
class Operations {
  readonly #definition: ResourceDefinition;
  readonly #version: string;

  constructor(definition: ResourceDefinition, version: string) {
    this.#definition = definition;
    this.#version = version;
  }

  /** @param schema of the answer, if it is not the kind itself */
  of(action: Action, verb: string, schema?: string): JsonObject {
    const { group, kind } = this.#definition;
    const $ref = `#/components/schemas/${schema ?? this.#schemaOf(action)}`;
    return {
      description: `${verb} ${kind}`,
      parameters: parameters[action].map(queryParameter),
      responses: {
        "200": { description: "OK", content: { "application/json": { schema: { $ref } } } },
      },
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": { group, version: this.#version, kind },
    };
  }

  #schemaOf(action: Action): string {
    if (action === "delete" || action === "deletecollection") return statusSchema;
    const { kind, listKind } = this.#definition;
    return schemaName(this.#definition, this.#version, action === "list" ? listKind : kind);
  }
}

function queryParameter(name: string): JsonObject {
  return { name, in: "query", schema: { type: "string", uniqueItems: true } };
}

function pathParameter(name: string): JsonObject {
  return { name, in: "path", required: true, schema: { type: "string", uniqueItems: true } };
}
