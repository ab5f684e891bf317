import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { invalid, type FieldError } from "../api/errors.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../validation/object-meta.ts";
import type { FoundResource } from "../api/registry.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";
import { withDeclared } from "../rules/with-declared.ts";

// Rules for objects of a resource.
interface ObjectRules extends FoundResource {
  readonly strategy: ResourceStrategy;
  readonly dryRun: boolean;
}

/**
 * Validates a new object.
 *
 * @throws {ApiError} 422
 */
export function checkNewObject(rules: ObjectRules, object: ApiObject): void {
  const { definition, served, strategy } = rules;
  throwInvalid(definition, object, checkType(rules, object));
  const specific = strategy.validateCreate?.(object, served) ?? [];
  throwInvalid(
    definition,
    object,
    // Where the rules of a kind skip the metadata, it is checked last: rest.BeforeCreate.
    isMetadataLast(definition) && specific.length > 0
      ? specific
      : [...validateObjectMeta(object.metadata, definition), ...specific],
    strategy.checkDeclared?.(object, undefined),
  );
  throwInvalid(
    definition,
    object,
    strategy.checkAllocation?.(object, undefined, rules.dryRun) ?? [],
  );
}

function isMetadataLast({ metadataRepeats }: ResourceDefinition): boolean {
  return metadataRepeats?.changes === 0 && metadataRepeats.whole === 0;
}

/**
 * Validates a changed object.
 *
 * @throws {ApiError} 422
 */
export function checkChangedObject(
  rules: ObjectRules,
  subresource: string,
  object: ApiObject,
  stored: ApiObject,
): void {
  const { definition, strategy } = rules;
  const { metadata } = object;
  const meta = validateObjectMetaUpdate(metadata, stored.metadata, definition, subresource);
  const typeErrors = checkType(rules, object);
  if (typeErrors.length > 0) throwInvalid(definition, object, [...meta, ...typeErrors]);
  const update = strategy.subresourceUpdates?.[subresource];
  const refusal = update?.refuse?.(object, stored);
  if (refusal !== undefined) throw refusal;
  throwInvalid(
    definition,
    object,
    [...meta, ...(changeErrors(rules, subresource, object, stored) ?? [])],
    strategy.checkDeclared?.(object, stored),
  );
  if (subresource !== "") return;
  throwInvalid(definition, object, strategy.checkAllocation?.(object, stored, rules.dryRun) ?? []);
}

function changeErrors(
  { served, strategy }: ObjectRules,
  subresource: string,
  object: ApiObject,
  stored: ApiObject,
): readonly FieldError[] | undefined {
  if (subresource === "status") return strategy.validateStatus?.(object, stored, served);
  const update = strategy.subresourceUpdates?.[subresource];
  if (update !== undefined) return update.validate?.(object, stored);
  return strategy.validateUpdate?.(object, stored, served);
}

// Custom resources are decoded without a type, so a wrong kind is only found here.
function checkType({ definition, served }: FoundResource, object: ApiObject): FieldError[] {
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
  declared: readonly FieldError[] = [],
): void {
  if (errors.length === 0 && declared.length === 0) return;
  const isRepeating = definition.custom || definition.repeatsErrors === true;
  throw invalid(
    // Two groups may share their objects; then the rules are those of the one that stores them.
    definition.storedAs?.group ?? definition.group,
    object.kind ?? definition.kind,
    object.metadata.name ?? "",
    isRepeating ? errors : withDeclared(withoutRepeats(errors), declared),
  );
}

function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field}: ${error.message}`, error])).values()];
}
