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
  const covered = new Set(declared.map(problemOf));
  return [...errors.filter((error) => !covered.has(problemOf(error))), ...declared];
}

// Only declared rules count the bytes of names.
function problemOf({ field, message, reason }: FieldError): string {
  if (reason !== "FieldValueInvalid") return `${reason} ${field}`;
  const problem = message.slice(message.lastIndexOf(": ")).replace(/ bytes$/, " characters");
  return `${reason} ${field}${problem}`;
}
