import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceDefinition, Subresource } from "../api/resource-definition.ts";
import type { ServedResource } from "./api-groups.ts";
import { schemaName, statusSchema, subresourceSchema } from "./openapi-schemas.ts";
import { subresourcesOf } from "./resource-verbs.ts";

/** Creates the `paths` of one resource below the path of its group version. */
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
  const lists = isServed(definition, "list") ? { get: list } : {};
  const paths: Record<string, JsonObject> =
    namespaced && "get" in lists ? { [everywhere]: lists } : {};
  paths[collection] = {
    parameters: scope,
    ...lists,
    ...operation.served("post", "create"),
    ...operation.served("deletecollection", "delete collection of"),
  };
  paths[item] = {
    parameters: named,
    ...operation.served("get", "read the specified"),
    ...operation.served("put", "replace the specified"),
    ...operation.served("patch", "partially update the specified"),
    ...operation.served("delete", "delete"),
  };
  for (const subresource of subresourcesOf(definition.custom, version)) {
    if (!isDescribed(subresource)) continue;
    const schema = subresourceSchema(definition, version.name, subresource);
    const operations = subresource.verbs.map((verb) => {
      const action = actions.get(verb) ?? "get";
      const text = `${verb} ${subresource.name} of the specified`;
      return [action, operation.of(action, text, schema)];
    });
    paths[`${item}/${subresource.name}`] = {
      parameters: named,
      ...Object.fromEntries(operations),
    };
  }
  return paths;
}

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["create", "post"],
  ["get", "get"],
  ["patch", "patch"],
  ["update", "put"],
]);

function isServed({ verbs }: ResourceDefinition, action: Action): boolean {
  const verb = [...actions].find(([, one]) => one === action)?.[0] ?? action;
  return verbs === undefined || verbs.includes(verb);
}

// Logs and connections to pods have no object.
function isDescribed({ kind = "", name }: Subresource): boolean {
  return name !== "log" && !kind.endsWith("Options");
}

type Action = "get" | "list" | "put" | "post" | "patch" | "delete" | "deletecollection";

/** Query parameters. `fieldValidation` shows kubectl that the server validates. */
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

class Operations {
  readonly #definition: ResourceDefinition;
  readonly #version: string;

  constructor(definition: ResourceDefinition, version: string) {
    this.#definition = definition;
    this.#version = version;
  }

  /** Returns the operation under its method; empty if the kind does not serve it. */
  served(action: Action, verb: string): JsonObject {
    if (!isServed(this.#definition, action)) return {};
    return { [action === "deletecollection" ? "delete" : action]: this.of(action, verb) };
  }

  /** @param schema schema of the response, if it is not the kind itself */
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
