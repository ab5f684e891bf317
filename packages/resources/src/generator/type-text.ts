import { elementName } from "./identifiers.ts";
import type { Schema } from "./read-schema.ts";

/** Resolves the names in a type. */
export interface TypeNames {
  /** Called with the `$ref` of a schema; returns the type that it refers to. */
  readonly referenced: (reference: string) => string;
  /** Called with a nested object and a name for it; returns the type's name. */
  readonly nested: (schema: Schema, name: string) => string;
  /** Called where metadata is needed; returns the name of its type. */
  readonly objectMeta: () => string;
}

const openObject = "{ [key: string]: unknown }";

const plainTypes: ReadonlyMap<string, string> = new Map([
  ["string", "string"],
  ["integer", "number"],
  ["number", "number"],
  ["boolean", "boolean"],
]);

/** Returns the TypeScript type of a schema; `name` is for an object inside of it. */
export function typeText(schema: Schema, name: string, names: TypeNames): string {
  const text = withoutNull(schema, name, names);
  if (schema.nullable !== true || text === "unknown" || isNullIn(schema)) return text;
  return `${text} | null`;
}

function isNullIn({ enum: values = [] }: Schema): boolean {
  return values.includes(null);
}

function withoutNull(schema: Schema, name: string, names: TypeNames): string {
  if (schema.$ref !== undefined) return names.referenced(schema.$ref);
  // OpenAPI documents wrap a reference in `allOf` to add a description.
  const [only, ...others] = schema.allOf ?? [];
  if (only?.$ref !== undefined && others.length === 0) return names.referenced(only.$ref);
  if (isNumberOrText(schema)) return "number | string";
  if (schema.enum !== undefined && schema.enum.length > 0) {
    return [...new Set(schema.enum.map((value) => JSON.stringify(value)))].join(" | ");
  }
  if (schema.type === "array") return arrayText(schema, name, names);
  if (schema.type === "object" || schema.properties !== undefined) {
    return objectText(schema, name, names);
  }
  // `x-kubernetes-preserve-unknown-fields` without a type is any JSON value.
  return plainTypes.get(schema.type ?? "") ?? "unknown";
}

/** Older definitions express this by `anyOf` alone, or by a format. */
function isNumberOrText({ anyOf, format, ...schema }: Schema): boolean {
  if (schema["x-kubernetes-int-or-string"] === true || format === "int-or-string") return true;
  if (schema.type !== undefined || anyOf === undefined) return false;
  const types = new Set(anyOf.map(({ type }) => type));
  return types.size === 2 && types.has("integer") && types.has("string");
}

/** An object type without a nested one. */
const oneObject = /^\{[^{}]*\}$/;

function arrayText(schema: Schema, name: string, names: TypeNames): string {
  const { items = {} } = schema;
  const { properties = {} } = items;
  // The server rejects an element without a merge key, unless that has a default.
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).filter(
    (key) => Object.hasOwn(properties, key) && properties[key]!.default === undefined,
  );
  const element =
    keys.length === 0
      ? items
      : { ...items, required: [...new Set([...(items.required ?? []), ...keys])] };
  const text = typeText(element, elementName(name), names);
  const isUnion = text.includes(" | ") && !oneObject.test(text);
  return isUnion ? `(${text})[]` : `${text}[]`;
}

function objectText(schema: Schema, name: string, names: TypeNames): string {
  const { additionalProperties, properties = {} } = schema;
  if (Object.keys(properties).length > 0) return names.nested(schema, name);
  if (schema["x-kubernetes-embedded-resource"] === true) {
    const type = names.objectMeta();
    return `{ apiVersion: string; kind: string; metadata?: ${type}; [field: string]: unknown }`;
  }
  if (additionalProperties === undefined || typeof additionalProperties === "boolean") {
    return openObject;
  }
  return `{ [key: string]: ${typeText(additionalProperties, elementName(name), names)} }`;
}
