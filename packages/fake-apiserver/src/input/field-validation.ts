import { invalid } from "../api/errors.ts";
import { maxStrictErrors } from "./decode.ts";
import { goQuote } from "../base/go-text.ts";

/** Where the choice of field validation stands, and where warnings go. */
export interface FieldValidation {
  readonly query: URLSearchParams;
  /** Texts for Warning headers. */
  readonly warnings: string[];
}

/**
 * Handles the errors of strict decoding by the parameter `fieldValidation`: ignores them, warns or
 * throws.
 *
 * @param errorOf creates the error for a message
 * @throws the error of `errorOf`, under Strict
 */
export function reportStrictErrors(
  { query, warnings }: FieldValidation,
  errors: readonly string[],
  errorOf: (why: string) => Error,
): void {
  const mode = query.get("fieldValidation") ?? "";
  if (errors.length === 0 || mode === "Ignore") return;
  const reported = errors.slice(0, maxStrictErrors);
  if (mode === "Strict") throw errorOf(`strict decoding error: ${reported.join(", ")}`);
  warnings.push(...reported.flatMap(warningsOf));
}

/**
 * The warnings that an error of strict decoding is. The YAML library makes one error of all that it
 * complains of, a line each after the first.
 */
export function warningsOf(error: string): readonly string[] {
  const [first = "", ...lines] = error.split("\n");
  return lines.length === 0 ? [first] : lines.map((line) => line.trim());
}

/**
 * Creates the error of a patch whose result is not an object of the resource.
 *
 * @param shown the patch or its result as text
 */
export function invalidPatch(shown: string, why: string): Error {
  const message = `Invalid value: ${goQuote(shown)}: ${why}`;
  return invalid("", "", "", [{ reason: "FieldValueInvalid", field: "patch", message }]);
}
