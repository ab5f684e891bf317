import { invalidOptions } from "../api/errors.ts";
import type { FieldError } from "../api/field-error.ts";
import { forbidden, invalid, notSupported, required, tooLong } from "../validation/field-errors.ts";
import { byteLength, isPrintable } from "../base/go-text.ts";

const dryRunValues: readonly string[] = ["All"];
const fieldValidationValues: readonly string[] = ["", "Ignore", "Strict", "Warn"];
// k8s.io/apimachinery meta/v1/validation: `FieldManagerMaxLength`.
const fieldManagerBytes = 128;

/**
 * Checks the query of a write.
 *
 * @param kind of the options, as the answer names it
 * @throws {ApiError} 422
 */
export function checkWriteOptions(
  query: URLSearchParams,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
): void {
  const errors: FieldError[] = [];
  if (kind === "PatchOptions" && query.has("force")) {
    errors.push(forbidden("force", "may not be specified for non-apply patch"));
  }
  errors.push(
    ...checkFieldManager(query.get("fieldManager") ?? ""),
    ...checkDryRun(query.getAll("dryRun")),
    ...checkFieldValidation(query.get("fieldValidation") ?? ""),
  );
  const refusal = invalidOptions(kind, errors);
  if (refusal !== undefined) throw refusal;
}

/**
 * Checks the query of an apply.
 *
 * @throws {ApiError} 422
 */
export function checkApplyOptions(query: URLSearchParams): void {
  const manager = query.get("fieldManager") ?? "";
  const refusal = invalidOptions("PatchOptions", [
    ...(manager === "" ? [required("fieldManager", "is required for apply patch")] : []),
    ...checkFieldManager(manager),
    ...checkDryRun(query.getAll("dryRun")),
    ...checkFieldValidation(query.get("fieldValidation") ?? ""),
  ]);
  if (refusal !== undefined) throw refusal;
}

/** Errors of `dryRun`. */
export function checkDryRun(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => dryRunValues.includes(value))
    ? []
    : [notSupported("dryRun", values, dryRunValues)];
}

function checkFieldValidation(value: string): readonly FieldError[] {
  return fieldValidationValues.includes(value)
    ? []
    : [notSupported("fieldValidation", value, fieldValidationValues)];
}

function checkFieldManager(value: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(value) > fieldManagerBytes)
    errors.push(tooLong("fieldManager", fieldManagerBytes));
  let position = 0;
  for (const character of value) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      const detail = `invalid character U+${code} (at position ${position})`;
      errors.push(invalid("fieldManager", value, detail));
      break;
    }
    position += byteLength(character);
  }
  return errors;
}
