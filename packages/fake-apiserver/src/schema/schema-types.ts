import { isRecord } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";

const intOrString: readonly string[] = ["integer", "string"];
const noTypes: readonly string[] = [];

/** Returns the types a schema allows: one, two for `x-kubernetes-int-or-string`; none means any. */
export function schemaTypes(schema: JsonSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString;
  return schema.type === undefined || schema.type === "" ? noTypes : [schema.type];
}

/** Returns the JSON type of a value. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/**
 * Narrows JSON of a definition to a schema. Keywords are not checked: the structure is validated
 * before a definition is accepted.
 */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

/** Whether a schema contains a keyword at any depth. Properties of that name also count. */
export function mentionsKeyword(schema: unknown, keyword: string): boolean {
  if (Array.isArray(schema)) return schema.some((item) => mentionsKeyword(item, keyword));
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(
    ([name, inner]) => name === keyword || mentionsKeyword(inner, keyword),
  );
}
