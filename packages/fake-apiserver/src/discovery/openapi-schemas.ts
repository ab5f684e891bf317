import {
  isRecord,
  recordOf,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ServedResource } from "./api-groups.ts";
import { typeDocs } from "../kinds/builtin-kinds.ts";
import type { TypeDoc } from "../kinds/type-doc.ts";

const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1";
/** Groups whose types live outside of k8s.io/api. */
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

/** Schemas of the types without structure. */
const scalars: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["string", { type: "string" }],
  ["integer", { type: "integer", format: "int64" }],
  ["number", { type: "number", format: "double" }],
  ["boolean", { type: "boolean" }],
  ["object", { type: "object" }],
  ["time", { type: "string", format: "date-time" }],
  ["intOrString", { format: "int-or-string", oneOf: [{ type: "integer" }, { type: "string" }] }],
  ["quantity", { oneOf: [{ type: "string" }, { type: "number" }] }],
  ["map", { type: "object", additionalProperties: { type: "string" } }],
]);

/** The fields every object has. */
const objectFields: JsonObject = {
  apiVersion: apiVersionSchema,
  kind: kindSchema,
  metadata: withDescription(reference("meta.ObjectMeta"), "Standard object's metadata."),
};

/** What deletes answer with. */
export const statusSchema: string = typeSchemaName("meta.Status", "v1");
/** What the scale subresource answers with. */
export const scaleSchema: string = typeSchemaName("autoscaling.Scale", "v1");

/**
 * The name of the schema of a kind: the reversed group for custom resources, the Go package for
 * built-in types.
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

/** The schemas of the kinds in one version of a group, and of everything they refer to. */
export function openApiSchemas(
  group: string,
  version: string,
  resources: readonly ServedResource[],
): JsonObject {
  const schemas = new Map<string, JsonObject>();
  for (const resource of resources) {
    const { definition } = resource;
    const gvk = { group, kind: definition.kind, version };
    const schema = definition.custom ? customSchema(resource) : builtinSchema(resource, schemas);
    schemas.set(schemaName(definition, version), {
      ...schema,
      "x-kubernetes-group-version-kind": [gvk],
    });
    schemas.set(schemaName(definition, version, definition.listKind), {
      ...listSchema(definition, version),
      "x-kubernetes-group-version-kind": [{ ...gvk, kind: definition.listKind }],
    });
  }
  addTypes(["meta.ObjectMeta", "meta.ListMeta", "meta.Status"], schemas);
  if (resources.some(({ version: { scale } }) => scale !== undefined)) {
    addTypes(["autoscaling.Scale"], schemas);
  }
  return Object.fromEntries(schemas);
}

function customSchema({ version }: ServedResource): JsonObject {
  const schema = withEmbeddedFields(recordOf(version.schema ?? { type: "object" }));
  return { ...schema, properties: { ...recordOf(schema["properties"]), ...objectFields } };
}

/** Adds to embedded resources the fields every object has. */
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
  changed["properties"] = { ...recordOf(changed["properties"]), ...objectFields };
  changed["required"] = [...new Set([...names, "kind", "apiVersion"])];
  return changed;
}

/** A documented kind, or the frame every kind has. */
function builtinSchema(
  { definition, version }: ServedResource,
  schemas: Map<string, JsonObject>,
): JsonObject {
  const doc = typeDocs[`${packageOf(definition)}.${definition.kind}`];
  const { type, ...documented } = typeSchema(doc ?? undocumented(definition, version.status));
  addTypes(referencedTypes(doc), schemas);
  return {
    ...documented,
    type,
    properties: { ...objectFields, ...recordOf(documented["properties"]) },
  };
}

function undocumented({ kind }: ResourceDefinition, hasStatus: boolean): TypeDoc {
  const spec = { spec: ["object", `The desired state of the ${kind}.`] } as const;
  const status = { status: ["object", `The observed state of the ${kind}.`] } as const;
  return {
    description: `${kind} is a built-in kind whose fields are not described here.`,
    fields: hasStatus ? { ...spec, ...status } : spec,
  };
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
      metadata: withDescription(reference("meta.ListMeta"), "Standard list metadata."),
      items: { description: `List of ${definition.plural}.`, type: "array", items: item },
    },
  };
}

/** Adds the schemas of types and of the types these refer to. */
function addTypes(names: readonly string[], schemas: Map<string, JsonObject>): void {
  for (const name of names) {
    const key = typeSchemaName(name, "v1");
    const doc = typeDocs[name];
    if (doc === undefined || schemas.has(key)) continue;
    schemas.set(key, typeSchema(doc));
    addTypes(referencedTypes(doc), schemas);
  }
}

function typeSchema({ description, fields, required }: TypeDoc): JsonObject {
  const properties: MutableJsonObject = {};
  for (const [name, [type, text]] of Object.entries(fields)) {
    properties[name] = withDescription(fieldSchema(type), text);
  }
  const schema = { description, type: "object", properties };
  return required === undefined ? schema : { ...schema, required };
}

function fieldSchema(type: string): JsonObject {
  if (type.startsWith("[]")) return { type: "array", items: fieldSchema(type.slice(2)) };
  if (type.startsWith("map[")) {
    return { type: "object", additionalProperties: fieldSchema(type.slice(4, -1)) };
  }
  return scalars.get(type) ?? reference(type);
}

/** References carry descriptions only inside of `allOf` (OpenAPI 3.0, Reference Object). */
function withDescription(schema: JsonObject, description: string): JsonObject {
  if (!("$ref" in schema)) return { description, ...schema };
  return { description, allOf: [schema], default: {} };
}

function reference(type: string): JsonObject {
  return { $ref: `#/components/schemas/${typeSchemaName(type, "v1")}` };
}

function referencedTypes(doc: TypeDoc | undefined): readonly string[] {
  const types = Object.values(doc?.fields ?? {}).map(([type]) =>
    type.replaceAll(/^\[\]|^map\[|\]$/g, ""),
  );
  return types.filter((type) => type.includes("."));
}

/** `core.Pod` to `io.k8s.api.core.v1.Pod`. */
function typeSchemaName(type: string, version: string): string {
  const [name = "", kind = ""] = type.split(".");
  return `${foreignPackages.get(name) ?? `io.k8s.api.${name}.${version}`}.${kind}`;
}

/** The Go package of a built-in group: its first word, `core` for the group without name. */
function packageOf({ group }: ResourceDefinition): string {
  return group.split(".")[0] || "core";
}
