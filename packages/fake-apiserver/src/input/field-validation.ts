import { badRequest, invalid } from "../api/errors.ts";
import { goQuote } from "../base/go-text.ts";
import type { ResourceRequest } from "../verbs/resource-request.ts";

/**
 * Deals with what strict decoding of a whole object complained of, as `fieldValidation` says
 * (api-server §1.18).
 *
 * @throws {ApiError} 400 under Strict
 */
export function reportStrictErrors(
  request: ResourceRequest,
  kind: string,
  errors: readonly string[],
): void {
  if (!mustRefuse(request, errors)) return;
  throw badRequest(
    `${kind} in version "${request.served.name}" cannot be handled as a ${request.definition.kind}: ${strictText(errors)}`,
  );
}

/**
 * Deals with what strict decoding of a patched object complained of.
 *
 * @param patched the object as JSON, which the server repeats in its answer
 * @throws {ApiError} 422 under Strict
 */
export function reportStrictPatchErrors(
  request: ResourceRequest,
  patched: unknown,
  errors: readonly string[],
): void {
  if (mustRefuse(request, errors)) throw invalidPatch(patched, strictText(errors));
}

/** The refusal of a patch whose outcome is no object of the resource. */
export function invalidPatch(patched: unknown, why: string): Error {
  const shown = goQuote(JSON.stringify(patched));
  const message = `Invalid value: ${shown}: ${why}`;
  return invalid("", "", "", [{ reason: "FieldValueInvalid", field: "patch", message }]);
}

// True if the errors are to be thrown.
function mustRefuse(request: ResourceRequest, errors: readonly string[]): boolean {
  const mode = request.info.query.get("fieldValidation") ?? "";
  if (errors.length === 0 || mode === "Ignore") return false;
  if (mode === "Strict") return true;
  request.warnings.push(...errors);
  return false;
}

function strictText(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(", ")}`;
}
