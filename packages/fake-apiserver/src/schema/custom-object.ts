import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ScalePaths } from "../api/resource-definition.ts";
import type { FieldError } from "../api/field-error.ts";
import { invalid } from "../validation/field-errors.ts";
import { applyDefaults, type ForbiddenNulls } from "./defaults.ts";
import { coerceEmbeddedResources, validateEmbeddedResources } from "./embedded-resource.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { validateListTypes } from "./list-types.ts";
import { prune } from "./prune.ts";
import { validateScale } from "./validate-scale.ts";
import { validateSchema } from "./validate.ts";

/** A custom object as the server stores it, and the fields it has lost on the way. */
export interface ConformedCustomObject {
  readonly object: JsonObject;
  /**
   * Paths of unknown fields: those of embedded metadata first, then those the schema does not have,
   * each sorted.
   */
  readonly unknown: readonly string[];
}

/**
 * Defaults and prunes a custom object. Its own metadata is left to the caller.
 *
 * @throws {MetaTypeError} for metadata of embedded resources of the wrong type
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

/** How to validate a custom object. */
export interface CustomObjectOptions {
  /** The stored object in the same version: errors of unchanged parts are forgiven. */
  readonly old?: JsonObject | undefined;
  readonly scale?: ScalePaths | undefined;
}

/** Returns what is wrong with a custom object, besides its metadata. CEL rules are not evaluated. */
export function validateCustomObject(
  object: JsonObject,
  schema: JsonSchema,
  options: CustomObjectOptions = {},
): readonly FieldError[] {
  const { old, scale } = options;
  const errors = [
    ...validateSchema(object, schema, old === undefined ? {} : { old }),
    ...validateScale(object, scale, ["spec", "status"]),
    ...validateEmbeddedResources(object, schema),
    ...ratchetedListTypes(object, schema, old),
  ];
  return withSkippedRules(errors, schema);
}

/** Returns what is wrong with a write to the status subresource: only the status is checked. */
export function validateCustomStatus(
  object: JsonObject,
  schema: JsonSchema,
  options: CustomObjectOptions = {},
): readonly FieldError[] {
  const { old, scale } = options;
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
  return withSkippedRules(errors, schema);
}

/** Whether a schema has CEL rules (`x-kubernetes-validations`) anywhere. */
function hasValidationRules(schema: JsonSchema): boolean {
  if ((schema["x-kubernetes-validations"] ?? []).length > 0) return true;
  const { items, additionalProperties, properties = {} } = schema;
  const nested = [items, additionalProperties, ...Object.values(properties)];
  return nested.some((one) => typeof one === "object" && hasValidationRules(one));
}

/** Lists that were wrong before may stay wrong. */
function ratchetedListTypes(
  object: JsonObject,
  schema: JsonSchema,
  old: JsonObject | undefined,
): readonly FieldError[] {
  const wasValid = old === undefined || validateListTypes(old, schema).length === 0;
  return wasValid ? validateListTypes(object, schema) : [];
}

/** Reasons that keep the server from evaluating CEL rules; one more cause reports that. */
const blockingReasons: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

function withSkippedRules(
  errors: readonly FieldError[],
  schema: JsonSchema,
): readonly FieldError[] {
  const isBlocked = errors.some(({ reason }) => blockingReasons.has(reason));
  if (!isBlocked || !hasValidationRules(schema)) return errors;
  const detail =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return [...errors, invalid("<nil>", null, detail)];
}
