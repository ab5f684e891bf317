import { invalidOptions, type FieldError } from "../api/errors.ts";
import { forbidden, notSupported, required } from "../validation/field-errors.ts";
import { checkFieldManager } from "../validation/managed-fields.ts";

const dryRunValues: readonly string[] = ["All"];
const fieldValidationValues: readonly string[] = ["", "Ignore", "Strict", "Warn"];

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
    ...checkFieldManager("fieldManager", query.get("fieldManager") ?? ""),
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
    ...checkFieldManager("fieldManager", manager),
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
