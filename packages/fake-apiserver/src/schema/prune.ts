import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { setMember } from "../base/read-fields.ts";
import { compareBytes } from "../base/go-text.ts";
import type { JsonSchema } from "../api/json-schema.ts";

/** A pruned object and the removed fields. */
export interface Pruned {
  /** The same object if nothing was pruned; otherwise it shares unchanged parts. */
  readonly object: JsonObject;
  /** Sorted paths ("spec.ports[0].zz"). */
  readonly pruned: readonly string[];
}

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);
const anything: JsonSchema = { "x-kubernetes-preserve-unknown-fields": true };

/**
 * Removes fields that a structural schema does not specify. `apiVersion`, `kind` and `metadata` of
 * the object and of embedded resources stay.
 */
export function prune(object: JsonObject, schema: JsonSchema): Pruned {
  const paths: string[] = [];
  const root: JsonSchema = { ...schema, "x-kubernetes-embedded-resource": true };
  const pruned = pruneValue(object, root, "", paths);
  return { object: isRecord(pruned) ? pruned : object, pruned: paths.toSorted(compareBytes) };
}

/** Without a schema, objects lose all their fields. */
function pruneValue(
  value: unknown,
  schema: JsonSchema | undefined,
  path: string,
  paths: string[],
): unknown {
  if (Array.isArray(value)) return pruneArray(value, schema, path, paths);
  return isRecord(value) ? pruneObject(value, schema, path, paths) : value;
}

function pruneArray(
  array: readonly unknown[],
  schema: JsonSchema | undefined,
  path: string,
  paths: string[],
): readonly unknown[] {
  const items = preserves(schema) ? preserving(schema?.items) : schema?.items;
  if (items === anything) return array;
  const kept = array.map((item, index) => pruneValue(item, items, `${path}[${index}]`, paths));
  return kept.some((item, index) => item !== array[index]) ? kept : array;
}

function pruneObject(
  object: JsonObject,
  schema: JsonSchema | undefined,
  path: string,
  paths: string[],
): JsonObject {
  let kept: MutableJsonObject | undefined;
  for (const [key, value] of Object.entries(object)) {
    if (schema?.["x-kubernetes-embedded-resource"] === true && metaFields.has(key)) continue;
    const keyPath = path === "" ? key : `${path}.${key}`;
    const field = fieldSchema(schema, key);
    if (field === "unspecified") {
      if (preserves(schema)) continue;
      kept ??= { ...object };
      delete kept[key];
      paths.push(keyPath);
      continue;
    }
    const left = pruneValue(value, field, keyPath, paths);
    if (left === value) continue;
    kept ??= { ...object };
    setMember(kept, key, left);
  }
  return kept ?? object;
}

/** Returns the schema of a field; undefined allows the field, but no fields in it. */
function fieldSchema(
  schema: JsonSchema | undefined,
  key: string,
): JsonSchema | undefined | "unspecified" {
  const { properties, additionalProperties } = schema ?? {};
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  if (additionalProperties === undefined) return "unspecified";
  return typeof additionalProperties === "boolean" ? undefined : additionalProperties;
}

function preserves(schema: JsonSchema | undefined): boolean {
  return schema?.["x-kubernetes-preserve-unknown-fields"] === true;
}

/** Arrays pass preservation on to their items. `anything` lets the caller skip them. */
function preserving(items: JsonSchema | undefined): JsonSchema {
  return items === undefined
    ? anything
    : { ...items, "x-kubernetes-preserve-unknown-fields": true };
}
