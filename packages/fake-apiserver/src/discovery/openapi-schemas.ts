import {
  isRecord,
  recordOf,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import type { ResourceDefinition, Subresource } from "../api/resource-definition.ts";
import type { ServedResource } from "./api-groups.ts";
import { subresourcesOf } from "./resource-verbs.ts";

const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1";
/** Groups with types outside k8s.io/api. */
const foreignPackages: ReadonlyMap<string, string> = new Map([
  ["meta", metaPackage],
  ["apiextensions", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"],
  ["apiregistration", "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1"],
]);

const apiVersionSchema: JsonObject = {
  description:
    "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources",
  type: "string",
};
const kindSchema: JsonObject = {
  description:
    "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds",
  type: "string",
};

const conventions =
  "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

const schemaReferences = /"#\/components\/schemas\/([^"]+)"/g;

const objectFields: JsonObject = {
  apiVersion: apiVersionSchema,
  kind: kindSchema,
  metadata: withDescription(
    reference("meta.ObjectMeta"),
    `Standard object's metadata. More info: ${conventions}#metadata`,
  ),
};

// k8s.io/apiextensions-apiserver pkg/controller/openapi/builder describes these in its own words.
const embeddedFields: JsonObject = {
  ...objectFields,
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: "string",
  },
};

/** Response of deletes. */
export const statusSchema: string = typeSchemaName("meta.Status", "v1");

/**
 * Returns the schema name of a kind. It begins with the reversed group for custom resources and the
 * Go package for built-in types.
 */
export function schemaName(
  definition: ResourceDefinition,
  version: string,
  kind: string = definition.kind,
): string {
  if (definition.custom) {
    return `${definition.group.split(".").toReversed().join(".")}.${version}.${kind}`;
  }
  return typeSchemaName(`${packageOf(definition)}.${kind}`, version);
}

/**
 * Collects the schemas of all kinds in a group version and of the types they refer to.
 *
 * @param builtin schemas of all built-in types
 * @param paths paths whose schemas are added
 */
export function openApiSchemas(
  version: string,
  resources: readonly ServedResource[],
  builtin: ReadonlyMap<string, JsonObject>,
  paths: unknown = [],
): JsonObject {
  const schemas = new Map<string, JsonObject>();
  addReferenced(paths, builtin, schemas);
  for (const resource of resources) {
    const { definition } = resource;
    for (const kind of [definition.kind, definition.listKind]) {
      const name = schemaName(definition, version, kind);
      if (!definition.custom) {
        addBuiltin(name, builtin, schemas);
        continue;
      }
      const schema = customKindSchema(resource, kind);
      schemas.set(name, schema);
      addReferenced(schema, builtin, schemas);
    }
    for (const body of bodySchemas(resource)) addBuiltin(body, builtin, schemas);
  }
  return Object.fromEntries(schemas);
}

/** Collects the built-in schemas that a part of a document refers to, and those they refer to. */
export function referencedSchemas(
  part: unknown,
  builtin: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const schemas = new Map<string, JsonObject>();
  addReferenced(part, builtin, schemas);
  return Object.fromEntries(schemas);
}

function bodySchemas({ definition, version }: ServedResource): readonly string[] {
  return subresourcesOf(definition.custom, version)
    .filter(({ kind }) => kind !== undefined)
    .map((subresource) => subresourceSchema(definition, version.name, subresource));
}

/** Returns the name of a subresource's schema. */
export function subresourceSchema(
  definition: ResourceDefinition,
  resourceVersion: string,
  { group = definition.group, kind, version = resourceVersion }: Subresource,
): string {
  if (kind === undefined) return schemaName(definition, resourceVersion);
  return typeSchemaName(`${packageOf({ group })}.${kind}`, version);
}

function customKindSchema(resource: ServedResource, kind: string): JsonObject {
  const { definition, version } = resource;
  const gvk = { group: definition.group, kind, version: version.name };
  const schema =
    kind === definition.kind ? customSchema(resource) : listSchema(definition, version.name);
  return { ...schema, "x-kubernetes-group-version-kind": [gvk] };
}

function customSchema({ version }: ServedResource): JsonObject {
  const schema = withEmbeddedFields(recordOf(version.schema ?? { type: "object" }));
  return { ...schema, properties: { ...recordOf(schema["properties"]), ...objectFields } };
}

/** Adds the fields of every object to embedded resources. */
function withEmbeddedFields(schema: JsonObject): JsonObject {
  const changed: MutableJsonObject = { ...schema };
  const { properties, items, additionalProperties } = changed;
  if (isRecord(items)) changed["items"] = withEmbeddedFields(items);
  if (isRecord(additionalProperties)) {
    changed["additionalProperties"] = withEmbeddedFields(additionalProperties);
  }
  if (isRecord(properties)) {
    changed["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        withEmbeddedFields(recordOf(property)),
      ]),
    );
  }
  if (schema["x-kubernetes-embedded-resource"] !== true) return changed;
  const { required } = schema;
  const names = Array.isArray(required) ? required : [];
  changed["properties"] = { ...recordOf(changed["properties"]), ...embeddedFields };
  changed["required"] = [...new Set([...names, "kind", "apiVersion"])];
  return changed;
}

function listSchema(definition: ResourceDefinition, version: string): JsonObject {
  const item = { $ref: `#/components/schemas/${schemaName(definition, version)}` };
  return {
    description: `${definition.listKind} is a list of ${definition.kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: apiVersionSchema,
      kind: kindSchema,
      metadata: withDescription(
        reference("meta.ListMeta"),
        `Standard list metadata. More info: ${conventions}#types-kinds`,
      ),
      items: {
        description: `List of ${definition.plural}. More info: ${conventions}`,
        type: "array",
        items: item,
      },
    },
  };
}

function addBuiltin(
  name: string,
  builtin: ReadonlyMap<string, JsonObject>,
  schemas: Map<string, JsonObject>,
): void {
  const schema = builtin.get(name);
  if (schema === undefined || schemas.has(name)) return;
  schemas.set(name, schema);
  addReferenced(schema, builtin, schemas);
}

function addReferenced(
  part: unknown,
  builtin: ReadonlyMap<string, JsonObject>,
  schemas: Map<string, JsonObject>,
): void {
  for (const [, name = ""] of JSON.stringify(part).matchAll(schemaReferences)) {
    addBuiltin(name, builtin, schemas);
  }
}

/** References can only have a description inside `allOf` (OpenAPI 3.0, Reference Object). */
function withDescription(schema: JsonObject, description: string): JsonObject {
  if (!("$ref" in schema)) return { description, ...schema };
  return { description, allOf: [schema] };
}

function reference(type: string): JsonObject {
  return { $ref: `#/components/schemas/${typeSchemaName(type, "v1")}` };
}

/** `core.Pod` becomes `io.k8s.api.core.v1.Pod`. */
function typeSchemaName(type: string, version: string): string {
  const [name = "", kind = ""] = type.split(".");
  return `${foreignPackages.get(name) ?? `io.k8s.api.${name}.${version}`}.${kind}`;
}

/** The Go package of a built-in group: its first word, `core` for the core group. */
function packageOf({ group }: Pick<ResourceDefinition, "group">): string {
  return group.split(".")[0] || "core";
}
