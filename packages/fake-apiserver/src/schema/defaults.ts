import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { setMember } from "../base/read-fields.ts";
import type { JsonSchema } from "../api/json-schema.ts";

/** Treatment of a null that the schema does not allow and that has no default. */
export type ForbiddenNulls = "dropped" | "kept";

/**
 * Fills in the defaults of a structural schema. A null that the schema does not allow counts as
 * missing: it is replaced by the default or dropped. The object is not changed; the result shares
 * unchanged parts.
 */
export function applyDefaults(
  object: JsonObject,
  schema: JsonSchema,
  nulls: ForbiddenNulls = "dropped",
): JsonObject {
  const defaulted = defaultObject(object, schema, nulls);
  return isRecord(defaulted) ? defaulted : object;
}

function defaultValue(
  value: unknown,
  schema: JsonSchema | undefined,
  nulls: ForbiddenNulls,
): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return defaultArray(value, schema, nulls);
  return isRecord(value) ? defaultObject(value, schema, nulls) : value;
}

function defaultArray(
  array: readonly unknown[],
  schema: JsonSchema,
  nulls: ForbiddenNulls,
): readonly unknown[] {
  const { items } = schema;
  if (items === undefined) return array;
  const filled = array.map((item) => {
    const present = isForbiddenNull(item, items) ? (items.default ?? null) : item;
    return defaultValue(present, items, nulls);
  });
  return filled.some((item, index) => item !== array[index]) ? filled : array;
}

function defaultObject(object: JsonObject, schema: JsonSchema, nulls: ForbiddenNulls): JsonObject {
  let filled: MutableJsonObject | undefined;
  const set = (key: string, value: unknown): void => {
    filled ??= { ...object };
    setMember(filled, key, value);
  };
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (property.default === undefined || property.default === null) continue;
    const present = Object.hasOwn(object, key) ? object[key] : undefined;
    if (present === undefined || isForbiddenNull(present, property)) {
      set(key, defaultValue(property.default, property, nulls));
    }
  }
  for (const [key, value] of Object.entries(object)) {
    const field = fieldSchema(schema, key);
    if (field === undefined) continue;
    if (isForbiddenNull(value, field)) {
      if (field.default === undefined || field.default === null) {
        if (nulls === "kept") continue;
        filled ??= { ...object };
        delete filled[key];
      } else set(key, defaultValue(field.default, field, nulls));
      continue;
    }
    const present = defaultValue(value, field, nulls);
    if (present !== value) set(key, present);
  }
  return filled ?? object;
}

function fieldSchema(schema: JsonSchema, key: string): JsonSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function isForbiddenNull(value: unknown, schema: JsonSchema): boolean {
  return value === null && schema.nullable !== true;
}
