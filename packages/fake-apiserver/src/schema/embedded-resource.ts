import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { setMember } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { invalid, required } from "../validation/field-errors.ts";
import { compareBytes } from "../base/go-text.ts";
import { checkDns1035Label } from "../validation/names.ts";
import { validateEmbeddedMeta } from "../validation/object-meta.ts";
import { decodeObjectMeta } from "../input/object-meta.ts";
import { MetaTypeError } from "../input/errors.ts";
import type { JsonSchema } from "../api/json-schema.ts";

/** An object whose embedded metadata has been decoded. */
export interface CoercedObject {
  readonly object: JsonObject;
  /** Sorted paths of unknown metadata fields. */
  readonly unknown: readonly string[];
}

/**
 * Decodes the metadata of embedded resources and drops its unknown fields. The caller decodes the
 * root's metadata.
 *
 * @throws {MetaTypeError} if metadata has the wrong type
 */
export function coerceEmbeddedResources(object: JsonObject, schema: JsonSchema): CoercedObject {
  const unknown: string[] = [];
  const coerced = walk(object, schema, "", (embedded, path) => {
    const before = embedded["metadata"];
    if (before === undefined) return embedded;
    const { metadata, unknown: fields } = decodeObjectMeta(before);
    unknown.push(...fields.map((field) => `${path}.${field}`));
    return metadata === before ? embedded : { ...embedded, metadata };
  });
  return {
    object: isRecord(coerced) ? coerced : object,
    unknown: unknown.toSorted(compareBytes),
  };
}

/** Validates apiVersion, kind and metadata of embedded resources. */
export function validateEmbeddedResources(
  object: JsonObject,
  schema: JsonSchema,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  walk(object, schema, "", (embedded, path) => {
    errors.push(...validateType(embedded, path), ...validateMetadata(embedded, path));
    return embedded;
  });
  return errors;
}

type Visit = (embedded: JsonObject, path: string) => JsonObject;

/** Replaces each embedded resource by the result of `visit`, except the root. */
function walk(value: unknown, schema: JsonSchema | undefined, path: string, visit: Visit): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    const walked = value.map((item: unknown, index) =>
      walk(item, items, `${path}[${index}]`, visit),
    );
    return walked.some((item, index) => item !== value[index]) ? walked : value;
  }
  if (!isRecord(value)) return value;
  const isEmbedded = path !== "" && schema["x-kubernetes-embedded-resource"] === true;
  const object = isEmbedded ? visit(value, path) : value;
  return walkFields(object, schema, path, visit);
}

function walkFields(
  object: JsonObject,
  { properties = {}, additionalProperties }: JsonSchema,
  path: string,
  visit: Visit,
): JsonObject {
  const rest = typeof additionalProperties === "object" ? additionalProperties : undefined;
  let changed: MutableJsonObject | undefined;
  for (const [key, value] of Object.entries(object)) {
    const isProperty = Object.hasOwn(properties, key);
    const keyPath = isProperty ? (path === "" ? key : `${path}.${key}`) : `${path}[${key}]`;
    const walked = walk(value, isProperty ? properties[key] : rest, keyPath, visit);
    if (walked === value) continue;
    changed ??= { ...object };
    setMember(changed, key, walked);
  }
  return changed ?? object;
}

function validateType(embedded: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ["apiVersion", "kind"] as const) {
    const field = `${path}.${name}`;
    const value = embedded[name];
    if (value === undefined) errors.push(required(field));
    else if (typeof value !== "string") errors.push(invalid(field, value, "must be a string"));
    else if (value === "") errors.push(invalid(field, value, "must not be empty"));
    else if (name === "kind") errors.push(...validateKind(field, value));
    else if (value.split("/").length > 2) {
      errors.push(invalid(field, value, `unexpected GroupVersion string: ${value}`));
    }
  }
  return errors;
}

function validateKind(field: string, kind: string): readonly FieldError[] {
  const problems = checkDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return [invalid(field, kind, detail)];
}

function validateMetadata(embedded: JsonObject, path: string): readonly FieldError[] {
  const value = embedded["metadata"];
  if (value === undefined) return [];
  try {
    const { metadata } = decodeObjectMeta(value);
    return validateEmbeddedMeta(metadata, path);
  } catch (error) {
    if (!(error instanceof MetaTypeError)) throw error;
    return [invalid(`${path}.metadata`, value, error.message)];
  }
}
