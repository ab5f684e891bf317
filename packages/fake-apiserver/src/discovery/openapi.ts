import {
  inRealTime,
  isRecord,
  type JsonObject,
  recordOf,
  stringsOf,
} from "@listwatch/core-fifo/base";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { groupDefinitions, type ApiGroup, type ServedResource } from "./api-groups.ts";
import { discoveryItem, groupTitle, tagOf, titled } from "./openapi-operations.ts";
import { OpenApiParameters } from "./openapi-parameters.ts";
import { resourcePaths } from "./openapi-paths.ts";
import { openApiSchemas, referencedSchemas } from "./openapi-schemas.ts";
import { sha256Hex } from "./sha256.ts";
import { defaultServerVersion } from "./version.ts";

type Definitions = Iterable<ResourceDefinition>;

/** A document of `/openapi/v3`; `hash` identifies its content. */
export interface OpenApiDocument {
  readonly json: string;
  readonly hash: string;
}

/** Parts of documents that do not depend on the served resources. */
export interface OpenApiParts {
  /** Schemas of all built-in types by name. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  readonly parameters: OpenApiParameters;
  /** All that the code of a server knows, most of which it does not serve. */
  readonly groupVersions: readonly GroupVersion[];
  /** Documents about the server itself by path, such as `version`. */
  readonly documents: JsonObject;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/**
 * Creates all documents by their path below `/openapi/v3/` ("api", "api/v1", "apis/apps/v1").
 * Created together because the index needs all hashes.
 */
export function openApiDocuments(
  definitions: Definitions,
  builtin: OpenApiParts,
): ReadonlyMap<string, OpenApiDocument> {
  const documents = new Map<string, OpenApiDocument>(rootDocuments(builtin));
  for (const group of groupDefinitions(definitions)) {
    const isCustom = group.versions.some(({ resources }) =>
      resources.some(({ definition }) => definition.custom),
    );
    if (group.name !== "" && !isCustom) {
      documents.set(`apis/${group.name}`, builtinDocument(groupDocument(group.name, builtin)));
    }
    for (const { name, resources } of group.versions) {
      documents.set(
        documentPath(group.name, name),
        cachedDocument(group, name, resources, builtin),
      );
    }
  }
  return documents;
}

interface CachedDocument {
  readonly resources: readonly ServedResource[];
  readonly document: OpenApiDocument;
}

/** Cached by first resource: registering a resource leaves most documents unchanged. */
const cache = new WeakMap<ServedVersion, CachedDocument>();

function cachedDocument(
  group: ApiGroup,
  version: string,
  resources: readonly ServedResource[],
  builtin: OpenApiParts,
): OpenApiDocument {
  const [first] = resources;
  const cached = first && cache.get(first.version);
  const isSame =
    cached?.resources.length === resources.length &&
    cached.resources.every((one, index) => one.version === resources[index]?.version);
  if (isSame) return cached.document;
  const json = JSON.stringify(openApiDocument(group, version, resources, builtin));
  const document = { json, hash: sha256Hex(json) };
  if (first !== undefined) cache.set(first.version, { resources, document });
  return document;
}

/** Response of `GET /openapi/v3`. */
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
  builtin: OpenApiParts,
): JsonObject {
  const root = `/${documentPath(group, version)}`;
  const isCustom = resources.some(({ definition }) => definition.custom);
  const paths: Record<string, JsonObject> = isCustom
    ? {}
    : { [`${root}/`]: resourceListItem(group, version) };
  for (const resource of resources) {
    Object.assign(paths, resourcePaths(resource, root, builtin.parameters));
  }
  const sorted = Object.entries(paths).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    openapi: "3.0.0",
    info: isCustom ? { title: "Kubernetes CRD Swagger", version: "v0.1.0" } : builtinInfo,
    paths: Object.fromEntries(sorted),
    components: {
      schemas: withKinds(
        openApiSchemas(version, resources, builtin.schemas, sorted),
        isCustom ? clientVersions(builtin) : [coreVersion, { group, version }],
      ),
      ...(!isCustom && { securitySchemes }),
    },
  };
}

// Documents of custom resources name the groups of client-go alone.
function clientVersions({ groupVersions }: OpenApiParts): readonly GroupVersion[] {
  return groupVersions.filter(({ group }) => !serverGroups.has(group));
}

const serverGroups: ReadonlySet<string> = new Set([
  "admission.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "imagepolicy.k8s.io",
]);

const coreVersion: GroupVersion = { group: "", version: "v1" };

/** Options of deletes and events of watches name the group versions that they belong to. */
export function withKinds(schemas: JsonObject, versions: readonly GroupVersion[]): JsonObject {
  const named = versions.filter(({ group }, index) => group !== "" || index === 0);
  const changed = ["DeleteOptions", "WatchEvent"].flatMap((kind) => {
    const name = `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
    const schema = schemas[name];
    if (!isRecord(schema)) return [];
    const kinds = named.map(({ group, version }) => ({ group, kind, version }));
    return [[name, { ...schema, "x-kubernetes-group-version-kind": kinds }] as const];
  });
  return { ...schemas, ...Object.fromEntries(changed) };
}

/** How requests are authenticated, in the words of a server. */
export const securitySchemes: JsonObject = {
  BearerToken: {
    type: "apiKey",
    description: "Bearer Token authentication",
    name: "authorization",
    in: "header",
  },
};

const [major, minor] = defaultServerVersion.split(".");
const builtinInfo = { title: "Kubernetes", version: `${major}.${minor}` };

function builtinDocument(content: JsonObject): OpenApiDocument {
  const json = JSON.stringify({ openapi: "3.0.0", info: builtinInfo, ...content });
  return { json, hash: sha256Hex(json) };
}

function* rootDocuments(builtin: OpenApiParts): Generator<[string, OpenApiDocument]> {
  const roots = [
    ["api", "core", "getCoreAPIVersions", "APIVersions"],
    ["apis", "apis", "getAPIVersions", "APIGroupList"],
  ] as const;
  for (const [path, tag, operationId, kind] of roots) {
    const item = discoveryItem(tag, "get available API versions", operationId, kind);
    yield [path, builtinDocument(discoveryDocument(`/${path}/`, item, builtin))];
  }
  for (const [path, content] of Object.entries(builtin.documents)) {
    yield [path, builtinDocument(recordOf(content))];
  }
}

function groupDocument(group: string, builtin: OpenApiParts): JsonObject {
  const title = groupTitle(group);
  const [tag = ""] = tagOf(group, "").split("_");
  const id = `get${title}APIGroup`;
  const item = discoveryItem(tag, "get information of a group", id, "APIGroup");
  return discoveryDocument(`/apis/${group}/`, item, builtin);
}

function resourceListItem(group: string, version: string): JsonObject {
  const id = `get${groupTitle(group)}${titled(version)}APIResources`;
  return discoveryItem(tagOf(group, version), "get available resources", id, "APIResourceList");
}

function discoveryDocument(path: string, item: JsonObject, { schemas }: OpenApiParts): JsonObject {
  const paths = { [path]: item };
  return { paths, components: { schemas: referencedSchemas(paths, schemas), securitySchemes } };
}

/** Loads the parts of documents on first use: 190 kB of gzip that most programs never need. */
export function loadOpenApiParts(): Promise<OpenApiParts> {
  loaded ??= inRealTime(unpack());
  return loaded;
}

let loaded: Promise<OpenApiParts> | undefined;

async function unpack(): Promise<OpenApiParts> {
  const { packedSchemas } = await import("./packed-schemas.generated.ts");
  const bytes = Uint8Array.from(atob(packedSchemas), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const packed: unknown = await new Response(unpacked).json();
  const { documents, groupVersions, parameters, schemas } = recordOf(packed);
  const found = new Map<string, JsonObject>();
  for (const [name, schema] of Object.entries(recordOf(schemas))) {
    if (isRecord(schema)) found.set(name, schema);
  }
  return {
    schemas: found,
    parameters: new OpenApiParameters(recordOf(parameters)),
    groupVersions: Object.entries(recordOf(groupVersions)).flatMap(([group, versions]) => {
      return stringsOf(versions).map((version) => ({ group, version }));
    }),
    documents: recordOf(documents),
  };
}
