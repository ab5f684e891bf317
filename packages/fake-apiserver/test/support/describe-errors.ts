import type { FieldError } from "../../src/api/errors.ts";

/** Field errors as the server joins them: "field: message". */
export function describeErrors(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}
