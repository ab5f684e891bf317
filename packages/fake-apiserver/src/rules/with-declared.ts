import type { FieldError } from "../api/errors.ts";

/** Errors written by hand with those of declared rules in their places. */
export function withDeclared(
  errors: readonly FieldError[],
  declared: readonly FieldError[],
): readonly FieldError[] {
  if (declared.length === 0) return errors;
  const covered = new Set(declared.map(({ field, reason }) => `${reason} ${field}`));
  return [...errors.filter(({ field, reason }) => !covered.has(`${reason} ${field}`)), ...declared];
}
