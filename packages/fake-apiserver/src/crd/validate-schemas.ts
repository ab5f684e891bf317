import { asJsonObject, isJsonObject, type JsonObject, jsonEquals } from "../json.ts";
import { validateOpenApiRules } from "../schema/openapi-rules.ts";
import { validateDefaults } from "../schema/schema-defaults.ts";
import { validateStructural } from "../schema/structural.ts";
import type { FieldError } from "../status/field-error.ts";
import { required } from "../validation/field-errors.ts";

/** Reasons to refuse the schemas of a definition's versions. */
export function validateSchemas(versions: readonly JsonObject[]): readonly FieldError[] {
  const schemas = versions.map((version) => asJsonObject(version["schema"])["openAPIV3Schema"]);
  const [first] = schemas;
  // A schema all versions share has moved to the top of the spec in the server's own form, and is named after that place.
  if (isJsonObject(first) && schemas.every((schema) => jsonEquals(schema, first))) {
    return validateSchemaOf(first, "spec.validation.openAPIV3Schema");
  }
  return schemas.flatMap((schema, index) => {
    const field = `spec.versions[${index}].schema.openAPIV3Schema`;
    return isJsonObject(schema) ? validateSchemaOf(schema, field) : [required(field)];
  });
}

function validateSchemaOf(schema: JsonObject, field: string): readonly FieldError[] {
  const rules = validateOpenApiRules(schema, field);
  const errors = [...rules, ...validateStructural(schema, field)];
  // Defaults can only be judged by a schema that makes sense.
  return errors.length > 0 ? errors : validateDefaults(schema, field);
}
