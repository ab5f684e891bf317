import { asJsonObject, isJsonObject, type JsonObject } from "../json.ts";
import type { FieldError } from "../status/field-error.ts";
import { required } from "../validation/field-errors.ts";

/** Reasons to refuse the schemas of a definition's versions. */
export function validateSchemas(versions: readonly JsonObject[]): readonly FieldError[] {
  const schemas = versions.map((version) => asJsonObject(version["schema"])["openAPIV3Schema"]);
  return schemas.flatMap((schema, index) => {
    const field = `spec.versions[${index}].schema.openAPIV3Schema`;
    return isJsonObject(schema) ? [] : [required(field)];
  });
}
