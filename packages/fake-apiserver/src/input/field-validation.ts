import { invalid } from "../api/errors.ts";
import { goQuote } from "../base/go-text.ts";

/** Where the choice of field validation stands, and where warnings go. */
export interface FieldValidation {
  readonly query: URLSearchParams;
  /** Texts for Warning headers. */
  readonly warnings: string[];
}

/**
 * Deals with what strict decoding complained of, as the parameter `fieldValidation` says: nothing,
 * warnings or an error.
 *
 * @param errorOf makes the error of a text
 * @throws what `errorOf` makes, under Strict
 */
export function reportStrictErrors(
  { query, warnings }: FieldValidation,
  errors: readonly string[],
  errorOf: (why: string) => Error,
): void {
  const mode = query.get("fieldValidation") ?? "";
  if (errors.length === 0 || mode === "Ignore") return;
  if (mode === "Strict") throw errorOf(`strict decoding error: ${errors.join(", ")}`);
  warnings.push(...errors);
}

/** The error of a patch whose outcome is no object of the resource. */
export function invalidPatch(patched: unknown, why: string): Error {
  const shown = goQuote(JSON.stringify(patched));
  const message = `Invalid value: ${shown}: ${why}`;
  return invalid("", "", "", [{ reason: "FieldValueInvalid", field: "patch", message }]);
}
