import type { ApiObject } from "../api/resource-definition.ts";
import { invalid } from "../api/errors.ts";
import type { FieldError } from "../api/field-error.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../validation/object-meta.ts";
import type { ResourceRequest } from "./resource-request.ts";

/**
 * Validates a new object.
 *
 * @throws {ApiError} 422
 */
export function checkNewObject(request: ResourceRequest, object: ApiObject): void {
  const { definition, served, strategy } = request;
  refuse(request, object, wrongType(request, object));
  const specific = strategy.validateCreate?.(object, served) ?? [];
  refuse(request, object, [...validateObjectMeta(object.metadata, definition), ...specific]);
}

/**
 * Validates a changed object.
 *
 * @throws {ApiError} 422
 */
export function checkChangedObject(
  request: ResourceRequest,
  object: ApiObject,
  stored: ApiObject,
): void {
  const { definition, served, strategy } = request;
  const meta = validateObjectMetaUpdate(object.metadata, stored.metadata, definition);
  const typeErrors = wrongType(request, object);
  if (typeErrors.length > 0) refuse(request, object, [...meta, ...typeErrors]);
  const specific =
    request.info.subresource === "status"
      ? strategy.validateStatus?.(object, stored, served)
      : strategy.validateUpdate?.(object, stored, served);
  refuse(request, object, [...meta, ...(specific ?? [])]);
}

// Custom resources are decoded without a type, so a wrong kind is only found here.
function wrongType({ definition, presenter }: ResourceRequest, object: ApiObject): FieldError[] {
  if (!definition.custom) return [];
  const errors: FieldError[] = [];
  const expected = { kind: definition.kind, apiVersion: presenter.apiVersion };
  for (const field of ["kind", "apiVersion"] as const) {
    const given = object[field];
    if (given === expected[field]) continue;
    const message = `Invalid value: ${JSON.stringify(given)}: must be ${expected[field]}`;
    errors.push({ reason: "FieldValueInvalid", field, message });
  }
  return errors;
}

function refuse(
  { definition }: ResourceRequest,
  object: ApiObject,
  errors: readonly FieldError[],
): void {
  if (errors.length === 0) return;
  throw invalid(
    definition.group,
    object.kind ?? definition.kind,
    object.metadata.name ?? "",
    errors,
  );
}
