import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ScalePaths } from "../api/resource-definition.ts";
import type { FieldError } from "../api/errors.ts";
import { invalid } from "../validation/field-errors.ts";
import { applyDefaults, type ForbiddenNulls } from "./defaults.ts";
import { coerceEmbeddedResources, validateEmbeddedResources } from "./embedded-resource.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import { validateScale } from "./validate-scale.ts";
import { validateSchema } from "./validate.ts";

/** A custom object as stored, and the fields that were dropped. */
export interface ConformedCustomObject {
  readonly object: JsonObject;
  /**
   * Paths of unknown fields, each group sorted: first those of embedded metadata, then those
   * missing in the schema.
   */
  readonly unknown: readonly string[];
}

/**
 * Fills in defaults and prunes a custom object. The caller decodes its own metadata.
 *
 * @throws {MetaTypeError} if metadata of an embedded resource has the wrong type
 */
export function conformCustomObject(
  object: JsonObject,
  schema: JsonSchema,
  nulls?: ForbiddenNulls,
): ConformedCustomObject {
  const coerced = coerceEmbeddedResources(applyDefaults(object, schema, nulls), schema);
  const { object: conformed, pruned } = prune(coerced.object, schema);
  return { object: conformed, unknown: [...coerced.unknown, ...pruned] };
}

/** Options of the validation of custom objects. */
export interface CustomObjectOptions {
  /** The stored object in the same version. Errors of unchanged parts are ignored. */
  readonly old?: JsonObject | undefined;
  readonly scale?: ScalePaths | undefined;
  /** Evaluates the rules of the schema, unless other errors come before them. */
  readonly rules?: (() => readonly FieldError[]) | undefined;
}

/** Validates a custom object, except its metadata. */
export function validateCustomObject(
  object: JsonObject,
  schema: JsonSchema,
  options: CustomObjectOptions = {},
): readonly FieldError[] {
  const { old, rules, scale } = options;
  const errors = [
    ...validateSchema(object, schema, old === undefined ? {} : { old }),
    ...validateScale(object, scale, ["spec", "status"]),
    ...validateEmbeddedResources(object, schema),
    ...ratchetedListTypes(object, schema, old),
  ];
  return withRules(errors, schema, rules);
}

/** Validates a write to the status subresource: only the status, but all rules. */
export function validateCustomStatus(
  object: JsonObject,
  schema: JsonSchema,
  options: CustomObjectOptions = {},
): readonly FieldError[] {
  const { old, rules, scale } = options;
  const status = object["status"];
  const oldStatus = old?.["status"];
  const statusSchema = schema.properties?.["status"];
  const errors: FieldError[] = [];
  if (status !== undefined && statusSchema !== undefined) {
    errors.push(...validateSchema(status, statusSchema, { field: "status", old: oldStatus }));
  }
  errors.push(
    ...validateScale(object, scale, ["status"]),
    ...validateEmbeddedResources(object, schema),
    ...ratchetedListTypes(object, schema, old),
  );
  return withRules(errors, schema, rules);
}

function hasValidationRules(schema: JsonSchema): boolean {
  if ((schema["x-kubernetes-validations"] ?? []).length > 0) return true;
  const { items, additionalProperties, properties = {} } = schema;
  const nested = [items, additionalProperties, ...Object.values(properties)];
  return nested.some((one) => typeof one === "object" && hasValidationRules(one));
}

/** Invalid lists may stay invalid. */
function ratchetedListTypes(
  object: JsonObject,
  schema: JsonSchema,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const wasValid = old === undefined || validateListTypes(old, schema).length === 0;
  return wasValid ? validateListTypes(object, schema) : [];
}

/** With these reasons the server skips CEL rules and adds a cause that reports it. */
const blockingReasons: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

function withRules(
  errors: readonly FieldError[],
  schema: JsonSchema,
  rules: CustomObjectOptions["rules"],
): readonly FieldError[] {
  const isBlocked = errors.some(({ reason }) => blockingReasons.has(reason));
  if (!isBlocked) return [...errors, ...(rules?.() ?? [])];
  if (!hasValidationRules(schema)) return errors;
  const detail =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return [...errors, invalid("<nil>", null, detail)];
}
