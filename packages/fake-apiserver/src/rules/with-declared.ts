import type { FieldError } from "../api/errors.ts";

/**
 * Errors written by hand with those of declared rules in their places. An invalid value is reported
 * for each problem that only one of the two finds.
 */
export function withDeclared(
  errors: readonly FieldError[],
  declared: readonly FieldError[],
): readonly FieldError[] {
  if (declared.length === 0) return errors;
  const covered = new Set(declared.map(originOf));
  return [...errors.filter((error) => !covered.has(originOf(error))), ...declared];
}

// A wrong value of a field, a changed one and one that another field forbids are different errors.
function originOf({ field, message, reason }: FieldError): string {
  const origin = /field is immutable$|`\w+`$/.exec(message)?.[0] ?? "";
  return `${reason} ${field} ${origin}`;
}
