import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { invalid } from "../validation/field-errors.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { prune } from "./prune.ts";
import { isJsonSchema } from "./schema-types.ts";
import { properties } from "./structural.ts";
import { validateSchema } from "./validate.ts";

/** Checks that the defaults in a structural schema are valid and have no unknown fields. */
export function validateDefaults(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { items, default: value } = schema;
  const isDefaulted = value !== undefined && value !== null;
  if (isDefaulted && isJsonSchema(schema)) errors.push(...checkDefault(value, schema, path));
  if (isRecord(items)) errors.push(...validateDefaults(items, `${path}.items`));
  for (const [name, property] of properties(schema)) {
    errors.push(...validateDefaults(property, `${path}.properties[${name}]`));
  }
  return errors;
}

function checkDefault(value: unknown, schema: JsonSchema, path: string): readonly FieldError[] {
  const field = `${path}.default`;
  const errors: FieldError[] = [];
  // Wrapping treats a default at any place like a field.
  const { object } = prune({ value }, { properties: { value: schema } });
  if (!isJsonEqual(object["value"], value)) {
    errors.push(invalid(field, value, "must not have unknown fields"));
  }
  return [...errors, ...validateSchema(value, schema, { field })];
}
