import { inRealTime, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { groupDefinitions, type ApiGroup, type ServedResource } from "./api-groups.ts";
import { resourcePaths } from "./openapi-paths.ts";
import { openApiSchemas } from "./openapi-schemas.ts";
import { sha256Hex } from "./sha256.ts";
import { defaultServerVersion } from "./version.ts";

type Definitions = Iterable<ResourceDefinition>;

/** A document of `/openapi/v3`; `hash` identifies its content. */
export interface OpenApiDocument {
  readonly json: string;
  readonly hash: string;
}

/**
 * Creates all documents by their path below `/openapi/v3/` ("api/v1", "apis/apps/v1"). Created
 * together because the index needs all hashes.
 *
 * @param builtin schemas of all built-in types
 */
export function openApiDocuments(
  definitions: Definitions,
  builtin: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<string, OpenApiDocument> {
  const documents = new Map<string, OpenApiDocument>();
  for (const group of groupDefinitions(definitions)) {
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
  builtin: ReadonlyMap<string, JsonObject>,
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
  builtin: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const resource of resources) {
    Object.assign(paths, resourcePaths(resource, `/${documentPath(group, version)}`));
  }
  const isCustom = resources.some(({ definition }) => definition.custom);
  const info = isCustom
    ? { title: "Kubernetes CRD Swagger", version: "v0.1.0" }
    : { title: "Kubernetes", version: `v${defaultServerVersion}` };
  return {
    openapi: "3.0.0",
    info,
    paths,
    components: { schemas: openApiSchemas(version, resources, builtin) },
  };
}

let loaded: Promise<ReadonlyMap<string, JsonObject>> | undefined;

/**
 * Loads the OpenAPI schemas of all built-in types by name. Unpacked on first use: 180 kB of gzip
 * that most programs never need.
 */
export function loadBuiltinSchemas(): Promise<ReadonlyMap<string, JsonObject>> {
  loaded ??= inRealTime(unpack());
  return loaded;
}

async function unpack(): Promise<ReadonlyMap<string, JsonObject>> {
  const { packedSchemas } = await import("./packed-schemas.generated.ts");
  const bytes = Uint8Array.from(atob(packedSchemas), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const schemas: unknown = await new Response(unpacked).json();
  const found = new Map<string, JsonObject>();
  for (const [name, schema] of Object.entries(isRecord(schemas) ? schemas : {})) {
    if (isRecord(schema)) found.set(name, schema);
  }
  return found;
}
