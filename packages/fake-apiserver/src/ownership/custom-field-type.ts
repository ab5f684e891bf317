import { recordOf } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";
import {
  atomicType,
  deducedType,
  type FieldType,
  type ListFields,
  type MapFields,
} from "./field-type.ts";

/**
 * Returns the field type of custom objects.
 *
 * @param schema the structural schema
 * @param metadata the type of ObjectMeta
 */
export function customFieldType(schema: JsonSchema, metadata: FieldType): FieldType {
  const { map } = typeOf(schema, false);
  const own: FieldType = { scalar: "string" };
  return {
    map: {
      isAtomic: map?.isAtomic ?? false,
      fieldOf(name) {
        if (name === "metadata") return metadata;
        return name === "apiVersion" || name === "kind" ? own : map?.fieldOf(name);
      },
      rest: map === undefined ? deducedType : map.rest,
      defaultOf: (name) => map?.defaultOf(name),
    },
  };
}

// Fields that keep unknown fields do so at every depth.
function typeOf(schema: JsonSchema, keepsUnknown: boolean): FieldType {
  if (schema["x-kubernetes-int-or-string"] === true) return { scalar: "untyped" };
  const keeps = keepsUnknown || schema["x-kubernetes-preserve-unknown-fields"] === true;
  switch (schema.type) {
    case "object":
      return { map: mapOf(schema, keeps) };
    case "array":
      return { list: listOf(schema, keeps) };
    case "integer":
    case "number":
      return { scalar: "numeric" };
    case "boolean":
      return { scalar: "boolean" };
    case "string": {
      const { format = "byte" } = schema;
      return { scalar: format === "byte" ? "string" : "untyped" };
    }
    case undefined:
    default:
      return keeps ? deducedType : atomicType;
  }
}

function listOf(schema: JsonSchema, keepsUnknown: boolean): ListFields {
  const item = schema.items === undefined ? deducedType : typeOf(schema.items, keepsUnknown);
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return { keys: [], item };
    case "map":
      return { keys: schema["x-kubernetes-list-map-keys"] ?? [], item };
    case undefined:
    default:
      return { keys: undefined, item };
  }
}

function mapOf(schema: JsonSchema, keepsUnknown: boolean): MapFields {
  const { additionalProperties, properties } = schema;
  const fields = new Map<string, FieldType>();
  for (const [name, property] of Object.entries(properties ?? {})) {
    fields.set(name, typeOf(property, keepsUnknown));
  }
  for (const name of schema["x-kubernetes-embedded-resource"] === true ? embeddedFields : []) {
    if (!fields.has(name))
      fields.set(name, name === "metadata" ? deducedType : { scalar: "string" });
  }
  let rest: FieldType | undefined;
  if (typeof additionalProperties === "object") rest = typeOf(additionalProperties, keepsUnknown);
  else if (keepsUnknown || additionalProperties === true || fields.size === 0) rest = deducedType;
  return {
    isAtomic: schema["x-kubernetes-map-type"] === "atomic",
    fieldOf: (name) => fields.get(name),
    rest,
    defaultOf: (name) => recordOf(recordOf(properties)[name])["default"],
  };
}

const embeddedFields = ["apiVersion", "kind", "metadata"];
