import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ResourceRegistry } from "../api/registry.ts";
import { CelFailure } from "../cel/failures.ts";
import { jsonOf, MessageValue, misplacedTypes } from "../cel/patch-values.ts";
import { PatchNotApplicable } from "../input/errors.ts";
import { applyOperations, readOperations } from "../input/json-patch.ts";
import { checkValue } from "../ownership/check-value.ts";
import { type FieldType, shapeOf } from "../ownership/field-type.ts";
import { mergeValues } from "../ownership/merge-values.ts";
import { builtinVersion, ownedVersion } from "../ownership/owned-versions.ts";
import { fieldElement, printElement } from "../ownership/path-element.ts";
import { loadSchemaTable } from "../schema/schema-table.ts";
import type { ReviewedForm } from "../webhooks/reviewed-write.ts";

/** A mutation that cannot be applied. The message is that of a real server. */
export class MutationError extends Error {
  override readonly name = "MutationError";
}

/** The form in which a policy changes an object. */
export interface MutatedForm {
  readonly form: ReviewedForm;
  readonly registry: ResourceRegistry;
}

/**
 * Applies the value of a mutation to an object.
 *
 * @returns the changed object; the given one if nothing changes
 * @throws {MutationError} if it cannot be applied
 */
export async function applyMutation(
  type: "ApplyConfiguration" | "JSONPatch",
  value: unknown,
  object: JsonObject,
  mutated: MutatedForm,
): Promise<JsonObject> {
  return type === "JSONPatch"
    ? applyPatch(value, object)
    : applyConfiguration(value, object, await fieldTypeOf(mutated));
}

function applyPatch(value: unknown, object: JsonObject): JsonObject {
  if (!Array.isArray(value)) {
    throw new MutationError("type mismatch: JSONPatchType.expression should evaluate to array");
  }
  const operations = readOperations(value.map(operationOf));
  try {
    const patched = applyOperations(object, operations);
    if (isRecord(patched)) return patched;
    throw new MutationError("JSON Patch: the result is not an object");
  } catch (error) {
    if (!(error instanceof PatchNotApplicable)) throw error;
    // A patch whose test fails is not applied.
    if (/^testing (?:value )?.*failed/i.test(error.message)) return object;
    throw new MutationError(`JSON Patch: ${error.message}`);
  }
}

function operationOf(operation: unknown): JsonObject {
  if (!(operation instanceof MessageValue) || operation.type !== "JSONPatch") {
    const start = "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch";
    throw new MutationError(start);
  }
  const value = operation.get("value");
  if (value instanceof MessageValue) {
    const problems = misplacedTypes(value, value.type);
    if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join("\n")}`);
  }
  return toJson(operation);
}

function applyConfiguration(value: unknown, object: JsonObject, type: FieldType): JsonObject {
  if (!(value instanceof MessageValue)) {
    throw new MutationError("unsupported return type from ApplyConfiguration expression");
  }
  const problems = misplacedTypes(value, "Object");
  if (problems.length > 0) throw new MutationError(`type mismatch: ${problems.join("\n")}`);
  const { apiVersion, kind } = object;
  const configuration = { ...toJson(value), apiVersion, kind };
  const start = "error applying patch: ";
  const mismatches = checkValue(configuration, type);
  if (mismatches.length > 0) {
    const lines = mismatches.map(({ path, text }) => `${path}: ${text}`);
    const errors = lines.length === 1 ? lines.join("") : `errors:\n  ${lines.join("\n  ")}`;
    throw new MutationError(`${start}failed to convert patch object to typed object: ${errors}`);
  }
  const atomics = atomicPaths(configuration, type, "");
  if (atomics.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`;
    throw new MutationError(`${start}invalid ApplyConfiguration: ${why}`);
  }
  const merged = mergeValues(object, configuration, type);
  return isRecord(merged) ? merged : object;
}

function toJson(value: MessageValue): JsonObject {
  try {
    const json = jsonOf(value);
    return isRecord(json) ? json : {};
  } catch (error) {
    if (!(error instanceof CelFailure)) throw error;
    throw new MutationError(error.message);
  }
}

/** Lists the parts of a configuration that are replaced as a whole, which policies may not do. */
function atomicPaths(value: unknown, type: FieldType, path: string): readonly string[] {
  const { list, map } = type;
  if (isRecord(value) && shapeOf(type, value) === "map" && map !== undefined) {
    const nested = Object.entries(value).flatMap(([name, member]) => {
      const memberType = map.fieldOf(name) ?? map.rest;
      if (memberType === undefined) return [];
      return atomicPaths(member, memberType, `${path}${printElement(fieldElement(name))}`);
    });
    return map.isAtomic ? [path, ...nested] : nested;
  }
  if (!Array.isArray(value) || list === undefined) return [];
  const nested = value.flatMap((item: unknown, index) =>
    atomicPaths(item, list.item, `${path}[${index}]`),
  );
  return list.keys === undefined ? [path, ...nested] : nested;
}

async function fieldTypeOf({ form, registry }: MutatedForm): Promise<FieldType> {
  const table = await loadSchemaTable();
  const { group, kind, version } = form.kind;
  const definition = registry.get(form.resource.group, form.resource.resource);
  const apiVersion = apiVersionOf(group, version);
  const owned = definition?.kind === kind ? ownedVersion(definition, apiVersion, table) : undefined;
  return (owned ?? builtinVersion(table, apiVersion, kind)).type;
}
