import type { FieldError } from "../api/errors.ts";

/** Errors of rules written by hand with those of declared rules in the places of the same ones. */
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
