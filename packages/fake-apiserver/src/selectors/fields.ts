import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { FieldSelector } from "./field-selector.ts";
import { SelectorError } from "./selector-error.ts";

/** Fields that stand for another one in selectors of a kind. */
const aliases: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ["/Pod", new Map([["spec.host", "spec.nodeName"]])],
]);

/** Fields that are not at the place their name says, per kind. */
const specialFields: ReadonlyMap<string, (object: ApiObject) => unknown> = new Map<
  string,
  (object: ApiObject) => unknown
>([
  [
    "/Event source",
    (object) => readPath(object, "source.component") || readPath(object, "reportingComponent"),
  ],
  ["/Pod status.podIPs", (object) => podIps(object)],
]);

/** Fields whose missing value is not the empty text but a default (the Go zero value). */
const zeroValues: ReadonlyMap<string, string> = new Map([
  ["spec.unschedulable", "false"],
  ["spec.hostNetwork", "false"],
  ["status.replicas", "0"],
  ["status.successful", "0"],
]);

/** The field names a selector on this version of a resource may use. */
function supportedFields(
  definition: ResourceDefinition,
  version: ServedVersion,
): ReadonlySet<string> {
  const base = definition.namespaced ? ["metadata.name", "metadata.namespace"] : ["metadata.name"];
  return new Set([...base, ...version.selectableFields]);
}

/**
 * Checks that a resource supports each field of a selector.
 *
 * Kinds with field names of their own, and custom resources, say "field label not supported"; the
 * other built-in kinds name the two fields every object has.
 *
 * @throws {SelectorError} with the message of the server's 400 answer.
 */
export function assertSupportedFields(
  selector: FieldSelector,
  definition: ResourceDefinition,
  version: ServedVersion,
): void {
  const supported = supportedFields(definition, version);
  // Built-in kinds accept metadata.namespace also where objects have none.
  const accepts = (field: string): boolean =>
    supported.has(field) || (!definition.custom && field === "metadata.namespace");
  for (const { field } of selector.requirements) {
    if (accepts(field) || aliasOf(definition, field) !== undefined) continue;
    if (definition.custom || version.selectableFields.length > 0) {
      throw new SelectorError(`field label not supported: ${field}`);
    }
    throw new SelectorError(
      `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}

/**
 * A reader of selectable fields in the stored objects of one resource:
 * `readField(definition)(object, "spec.nodeName")`. Texts, numbers and booleans are given as text,
 * everything else and missing fields as "".
 */
export function fieldReader(
  definition: ResourceDefinition,
): (object: ApiObject, field: string) => string {
  const { storedAs } = definition;
  const kind = `${(storedAs ?? definition).group}/${definition.kind}`;
  return (object, field) => {
    const path = aliasOf(definition, field) ?? storedAs?.storedField(field) ?? field;
    const special = specialFields.get(`${kind} ${path}`);
    const text = scalarText(special === undefined ? readPath(object, path) : special(object));
    if (text !== "" || definition.custom) return text;
    return zeroValues.get(path) ?? "";
  };
}

function aliasOf(definition: ResourceDefinition, field: string): string | undefined {
  return aliases.get(`${definition.group}/${definition.kind}`)?.get(field);
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

function podIps(pod: ApiObject): unknown {
  const ips = readPath(pod, "status.podIPs");
  if (!Array.isArray(ips)) return undefined;
  return ips
    .map((entry: unknown) =>
      typeof entry === "object" && entry !== null ? scalarText(readPath(entry, "ip")) : "",
    )
    .join(",");
}

function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
