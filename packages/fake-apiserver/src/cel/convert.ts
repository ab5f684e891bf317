import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";
import {
  declaredFields,
  isEmbedded,
  kindOf,
  type ValueKind,
  withTypeMeta,
} from "./declared-types.ts";
import { CelFailure } from "./failures.ts";
import { parseGoDuration, parseTimestamp } from "./times.ts";
import { Duration, type ListTraits, ObjectValue, withTraits } from "./values.ts";

const rootSchemas = new WeakMap<JsonSchema, JsonSchema>();

function rootSchema(schema: JsonSchema): JsonSchema {
  const known = rootSchemas.get(schema) ?? withTypeMeta(schema);
  rootSchemas.set(schema, known);
  return known;
}

/**
 * Converts a JSON value to a value of the language by its schema.
 *
 * @param isRoot whether it is an object of Kubernetes
 * @throws {CelFailure} if the value does not have the declared type
 */
export function convert(
  value: unknown,
  schema: JsonSchema,
  isRoot: boolean = isEmbedded(schema),
): unknown {
  if (value === null) {
    if (schema.nullable === true) return null;
    throw new CelFailure("invalid data, got null for schema with nullable=false");
  }
  const kind: string = kindOf(schema);
  switch (kind) {
    case "list":
      return convertList(value, schema);
    case "map":
      return convertMap(value, schema);
    case "object":
      return convertObject(value, isRoot ? rootSchema(schema) : schema);
    case "dyn":
      if (typeof value === "string") return value;
      if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
      if (typeof value === "bigint") return value;
      throw new CelFailure(
        "invalid data, expected XIntOrString value to be either a string or integer",
      );
    case "none":
      throw new CelFailure("invalid data, unsupported type");
    default:
      return convertScalar(value, kind);
  }
}

function convertObject(value: unknown, schema: JsonSchema): ObjectValue {
  if (!isRecord(value)) {
    throw new CelFailure("invalid data, expected a map for the provided schema with type=object");
  }
  const fields = declaredFields(schema);
  const names = [...fields.keys()].filter((name) => {
    const property = fields.get(name)?.property ?? "";
    return Object.hasOwn(value, property) && value[property] !== undefined;
  });
  const read = (name: string): unknown => {
    const field = fields.get(name);
    if (field === undefined || !Object.hasOwn(value, field.property)) return undefined;
    const member = value[field.property];
    return member === undefined ? undefined : convert(member, field.schema);
  };
  return new ObjectValue(names, read, unknownMembers(value, schema));
}

/** Members that are kept although the schema does not name them. */
function unknownMembers(value: JsonObject, schema: JsonSchema): JsonObject {
  if (schema["x-kubernetes-preserve-unknown-fields"] !== true) return {};
  const { properties = {} } = schema;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name)),
  );
}

function convertMap(value: unknown, schema: JsonSchema): Map<unknown, unknown> {
  const { additionalProperties } = schema;
  if (!isRecord(value) || typeof additionalProperties !== "object") {
    throw new CelFailure("invalid data, expected a map for the provided schema with type=object");
  }
  const members = new Map<unknown, unknown>();
  for (const [key, member] of Object.entries(value)) {
    members.set(key, convert(member, additionalProperties));
  }
  return members;
}

const zeros: Partial<Record<ValueKind, unknown>> = {
  double: 0,
  duration: new Duration(0n),
};

function convertList(value: unknown, schema: JsonSchema): readonly unknown[] {
  const { items } = schema;
  if (!Array.isArray(value) || items === undefined) {
    throw new CelFailure("invalid data, expected an array for the provided schema with type=array");
  }
  const list = value.map((item) => convert(item, items));
  return withTraits(list, traitsOf(schema, items));
}

function traitsOf(schema: JsonSchema, items: JsonSchema): ListTraits {
  const type = schema["x-kubernetes-list-type"];
  return {
    kind: type === "set" || type === "map" ? type : "atomic",
    keys: schema["x-kubernetes-list-map-keys"] ?? [],
    zero: zeros[kindOf(items)] ?? 0n,
  };
}

function convertScalar(value: unknown, kind: string): unknown {
  switch (kind) {
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "int":
      if (typeof value === "bigint") return value;
      if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
      break;
    case "double":
      if (typeof value === "number" || typeof value === "bigint") return Number(value);
      break;
    default:
      if (typeof value === "string") return convertText(value, kind);
  }
  throw new CelFailure(`invalid data, expected ${kind}`);
}

function convertText(text: string, kind: string): unknown {
  switch (kind) {
    case "bytes":
      return bytesOf(text);
    case "date":
      return parseTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
    case "duration":
      return parseGoDuration(text);
    default:
      return text;
  }
}

function bytesOf(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new CelFailure("invalid data, expected base64");
  }
}

/** Converts JSON without a schema: whole numbers are integers, objects are maps. */
export function convertUntyped(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(convertUntyped);
  if (!isRecord(value)) return value;
  const members = new Map<unknown, unknown>();
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.set(key, convertUntyped(member));
  }
  return members;
}
