import type { ApiObject } from "../api/api-object.ts";
import type {
  ResourceDefinition,
  SelectableField,
  ServedVersion,
} from "../api/resource-definition.ts";
import type { FieldSelector } from "./field-selector.ts";
import { SelectorError } from "../api/errors.ts";

function selectableFields(version: ServedVersion): ReadonlyMap<string, SelectableField> {
  return new Map(
    version.selectableFields.flatMap((field) => [
      [field.path, field] as const,
      ...(field.alias === undefined ? [] : [[field.alias, field] as const]),
    ]),
  );
}

/**
 * Checks that a resource supports each field of a selector.
 *
 * The message depends on the kind. Custom resources and kinds with further fields get "field label
 * not supported"; kinds of batch add their name. Other built-in kinds list the two fields that
 * every object has.
 *
 * @throws {SelectorError} with the message of the server's 400 answer
 */
export function assertSupportedFields(
  selector: FieldSelector,
  definition: ResourceDefinition,
  version: ServedVersion,
): void {
  const supported = selectableFields(version);
  // Built-in kinds accept metadata.namespace even if they are cluster-scoped.
  const hasNamespace = definition.namespaced || !definition.custom;
  const accepts = (field: string): boolean =>
    supported.has(field) ||
    field === "metadata.name" ||
    (field === "metadata.namespace" && hasNamespace);
  for (const { field } of selector.requirements) {
    if (accepts(field)) continue;
    if (definition.group === "batch" && version.selectableFields.length > 0) {
      throw new SelectorError(`field label "${field}" not supported for ${definition.kind}`);
    }
    if (definition.custom || version.selectableFields.length > 0) {
      throw new SelectorError(`field label not supported: ${field}`);
    }
    throw new SelectorError(
      `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}

/**
 * Returns a function that reads selectable fields of a resource's stored objects:
 * `fieldReader(definition, version)(object, "spec.nodeName")`. Strings, numbers and booleans are
 * returned as strings; all other values as "" or the zero value of the field.
 */
export function fieldReader(
  { storedAs }: ResourceDefinition,
  version: ServedVersion,
): (object: ApiObject, name: string) => string {
  const fields = selectableFields(version);
  return (object, name) => {
    const { path, read, zero = "" } = fields.get(name) ?? { path: name };
    const value =
      read === undefined ? readPath(object, storedAs?.storedField(path) ?? path) : read(object);
    return scalarText(value) || zero;
  };
}

function readPath(object: object, path: string): unknown {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
