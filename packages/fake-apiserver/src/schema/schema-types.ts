import { isRecord } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";

const intOrString: readonly string[] = ["integer", "string"];
const noTypes: readonly string[] = [];

/** The types a schema allows: its own one, or two for `x-kubernetes-int-or-string`; none means any. */
export function schemaTypes(schema: JsonSchema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString;
  return schema.type === undefined || schema.type === "" ? noTypes : [schema.type];
}

/** The JSON type of a value. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/**
 * The place where JSON of a definition becomes a schema. What its keywords hold is not looked at:
 * the structure of a schema is checked before its definition is accepted.
 */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

/** Whether a schema has a keyword anywhere. Properties with its name count too. */
export function mentionsKeyword(schema: unknown, keyword: string): boolean {
  if (Array.isArray(schema)) return schema.some((item) => mentionsKeyword(item, keyword));
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(
    ([name, inner]) => name === keyword || mentionsKeyword(inner, keyword),
  );
}
