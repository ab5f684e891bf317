import {
  isRecord,
  recordOf,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { duplicate, invalid } from "../validation/field-errors.ts";
import { goJson } from "../base/go-text.ts";
import type { JsonSchema } from "../api/json-schema.ts";

/** Checks that lists of the types `set` and `map` contain no duplicates. */
export function validateListTypes(object: JsonObject, schema: JsonSchema): readonly FieldError[] {
  const errors: FieldError[] = [];
  visitObject(object, schema, "", errors);
  return errors;
}

function visit(
  value: unknown,
  schema: JsonSchema | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (schema === undefined) return;
  if (isRecord(value)) visitObject(value, schema, path, errors);
  if (!Array.isArray(value)) return;
  const listType = schema["x-kubernetes-list-type"];
  if (listType === "set") errors.push(...duplicateItems(value, path));
  if (listType === "map") errors.push(...checkMap(value, schema, path));
  for (const [index, item] of value.entries()) {
    visit(item, schema.items, `${path}[${index}]`, errors);
  }
}

function visitObject(
  object: JsonObject,
  { properties, additionalProperties }: JsonSchema,
  path: string,
  errors: FieldError[],
): void {
  for (const [key, value] of Object.entries(object)) {
    if (typeof additionalProperties === "object") {
      visit(value, additionalProperties, `${path}[${key}]`, errors);
    }
    if (properties === undefined || !Object.hasOwn(properties, key)) continue;
    visit(value, properties[key], path === "" ? key : `${path}.${key}`, errors);
  }
}

function checkMap(
  items: readonly unknown[],
  schema: JsonSchema,
  path: string,
): readonly FieldError[] {
  const wrong = items.findIndex((item) => item !== null && !isRecord(item));
  if (wrong !== -1) {
    const detail = "must be an object for an array of list-type map";
    return [invalid(`${path}[${wrong}]`, items[wrong], detail)];
  }
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const keys = items.map((item) => mapKey(recordOf(item), names));
  return duplicateItems(keys, path);
}

function mapKey(item: JsonObject, names: readonly string[]): JsonObject {
  const key: MutableJsonObject = {};
  for (const name of names) if (Object.hasOwn(item, name)) key[name] = item[name];
  return key;
}

/** Reports the second occurrence of each value; further ones are not reported. */
function duplicateItems(values: readonly unknown[], path: string): readonly FieldError[] {
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, value] of values.entries()) {
    const key = goJson(value);
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    if (times === 1) errors.push(duplicate(`${path}[${index}]`, value));
  }
  return errors;
}
