import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject, ResourceDefinition } from "../api/resource-definition.ts";
import { invalid } from "../api/errors.ts";
import type { FieldError } from "../api/field-error.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../validation/object-meta.ts";
import type { ResourceRequest } from "./resource-request.ts";

// What an object of a resource is measured by.
type ObjectRules = Pick<ResourceRequest, "definition" | "served" | "strategy">;

/**
 * Validates a new object.
 *
 * @throws {ApiError} 422
 */
export function checkNewObject(request: ObjectRules, object: ApiObject): void {
  const { definition, served, strategy } = request;
  throwInvalid(definition, object, checkType(request, object));
  const specific = strategy.validateCreate?.(object, served) ?? [];
  throwInvalid(definition, object, [
    ...validateObjectMeta(object.metadata, definition),
    ...specific,
  ]);
}

/**
 * Validates a changed object.
 *
 * @throws {ApiError} 422
 */
export function checkChangedObject(
  request: ObjectRules & Pick<ResourceRequest, "info">,
  object: ApiObject,
  stored: ApiObject,
): void {
  const { definition, served, strategy } = request;
  const meta = validateObjectMetaUpdate(object.metadata, stored.metadata, definition);
  const typeErrors = checkType(request, object);
  if (typeErrors.length > 0) throwInvalid(definition, object, [...meta, ...typeErrors]);
  const specific =
    request.info.subresource === "status"
      ? strategy.validateStatus?.(object, stored, served)
      : strategy.validateUpdate?.(object, stored, served);
  throwInvalid(definition, object, [...meta, ...(specific ?? [])]);
}

// Custom resources are decoded without a type, so a wrong kind is only found here.
function checkType({ definition, served }: ObjectRules, object: ApiObject): FieldError[] {
  if (!definition.custom) return [];
  const errors: FieldError[] = [];
  const expected = {
    kind: definition.kind,
    apiVersion: apiVersionOf(definition.group, served.name),
  };
  for (const field of ["kind", "apiVersion"] as const) {
    const given = object[field];
    if (given === expected[field]) continue;
    const message = `Invalid value: ${JSON.stringify(given)}: must be ${expected[field]}`;
    errors.push({ reason: "FieldValueInvalid", field, message });
  }
  return errors;
}

function throwInvalid(
  definition: ResourceDefinition,
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
