import type { JsonObject } from "../json.ts";
import type { ResourceDefinition, ServedVersion } from "../resources/resource-definition.ts";
import { groupDefinitions } from "./api-groups.ts";
import type { ApiGroup, ServedResource } from "./api-groups.ts";
import { openApiSchemas, schemaName } from "./openapi-schemas.ts";
import { sha256Hex } from "./sha256.ts";
import { DEFAULT_SERVER_VERSION } from "./version.ts";

type Definitions = Iterable<ResourceDefinition>;

/** One document of `/openapi/v3`: `hash` identifies its content. */
export interface OpenApiDocument {
  readonly json: string;
  readonly hash: string;
}

/**
 * All documents by their path below `/openapi/v3/` ("api/v1", "apis/apps/v1"). Made in one go: the index needs the
 * hashes of all of them.
 */
export function openApiDocuments(definitions: Definitions): ReadonlyMap<string, OpenApiDocument> {
  const documents = new Map<string, OpenApiDocument>();
  for (const group of groupDefinitions(definitions)) {
    for (const { name, resources } of group.versions) {
      documents.set(documentPath(group.name, name), cachedDocument(group, name, resources));
    }
  }
  return documents;
}

interface CachedDocument {
  readonly resources: readonly ServedResource[];
  readonly document: OpenApiDocument;
}

/** By the first resource of a group version: most documents stay the same when a resource is registered. */
const CACHE = new WeakMap<ServedVersion, CachedDocument>();

function cachedDocument(
  group: ApiGroup,
  version: string,
  resources: readonly ServedResource[],
): OpenApiDocument {
  const [first] = resources;
  const cached = first && CACHE.get(first.version);
  const isSame =
    cached?.resources.length === resources.length &&
    cached.resources.every((one, index) => one.version === resources[index]?.version);
  if (isSame) return cached.document;
  const json = JSON.stringify(openApiDocument(group, version, resources));
  const document = { json, hash: sha256Hex(json) };
  if (first !== undefined) CACHE.set(first.version, { resources, document });
  return document;
}

/** The answer of `GET /openapi/v3`. */
export function openApiIndex(documents: ReadonlyMap<string, OpenApiDocument>): JsonObject {
  const paths = [...documents].map(([path, { hash }]): [string, JsonObject] => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` },
  ]);
  return { paths: Object.fromEntries(paths) };
}

function documentPath(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

function openApiDocument(
  { name: group }: ApiGroup,
  version: string,
  resources: readonly ServedResource[],
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const resource of resources) Object.assign(paths, resourcePaths(resource));
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: `v${DEFAULT_SERVER_VERSION}` },
    paths,
    components: { schemas: openApiSchemas(group, version, resources) },
  };
}

function resourcePaths({ definition, version }: ServedResource): Record<string, JsonObject> {
  const { group, plural, namespaced } = definition;
  const root = `/${documentPath(group, version.name)}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const item = `${collection}/{name}`;
  const operations = new Operations(definition, version.name);
  const scope = namespaced ? [pathParameter("namespace")] : [];
  const named = [...scope, pathParameter("name")];
  const single = {
    parameters: named,
    get: operations.operation("get", "read"),
    put: operations.operation("put", "replace"),
    patch: operations.operation("patch", "partially update"),
    delete: operations.operation("delete", "delete"),
  };
  const paths: Record<string, JsonObject> = {
    [collection]: {
      parameters: scope,
      get: operations.operation("list", "list objects of kind"),
      post: operations.operation("post", "create"),
    },
    [item]: single,
  };
  if (version.status) {
    const { get, put, patch } = single;
    paths[`${item}/status`] = { parameters: named, get, put, patch };
  }
  return paths;
}

type Action = "get" | "list" | "put" | "post" | "patch" | "delete";

/** Writes the operations of one kind. */
class Operations {
  readonly #definition: ResourceDefinition;
  readonly #version: string;

  constructor(definition: ResourceDefinition, version: string) {
    this.#definition = definition;
    this.#version = version;
  }

  operation(action: Action, verb: string): JsonObject {
    const { group, kind, listKind } = this.#definition;
    const schema = schemaName(this.#definition, this.#version, action === "list" ? listKind : kind);
    const response = {
      description: "OK",
      content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } },
    };
    return {
      description: `${verb} the specified ${kind}`,
      parameters: parametersOf(action),
      responses: { "200": response },
      "x-kubernetes-action": action,
      "x-kubernetes-group-version-kind": { group, version: this.#version, kind },
    };
  }
}

/** What kubectl looks for: `fieldValidation` on writes says that the server validates. */
function parametersOf(action: Action): readonly JsonObject[] {
  const writes = action === "post" || action === "put" || action === "patch";
  const names = writes
    ? ["dryRun", "fieldManager", "fieldValidation"]
    : action === "delete"
      ? ["dryRun", "gracePeriodSeconds", "propagationPolicy"]
      : [];
  const listNames = ["labelSelector", "fieldSelector", "limit", "continue", "watch"];
  return [...names, ...(action === "list" ? listNames : [])].map(queryParameter);
}

function queryParameter(name: string): JsonObject {
  return { name, in: "query", schema: { type: "string", uniqueItems: true } };
}

function pathParameter(name: string): JsonObject {
  return { name, in: "path", required: true, schema: { type: "string", uniqueItems: true } };
}
