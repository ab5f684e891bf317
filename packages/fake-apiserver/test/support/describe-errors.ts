import type { FieldError } from "../../src/api/errors.ts";

/** Formats field errors like the server: "field: message". */
export function describeErrors(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}
