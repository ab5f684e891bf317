import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import type { ApiObject } from "../../src/api/api-object.ts";
import type { ResourceDefinition } from "../../src/api/resource-definition.ts";
import { cellReader } from "../../src/output/cells.ts";

/** Time at which rows are printed, an hour after {@link created}. */
export const now: number = Date.parse("2024-01-01T01:00:00Z");
/** Creation time of objects without metadata. */
export const created = "2024-01-01T00:00:00Z";

/** Finds a built-in resource by its plural ("pods") or group and plural ("apps/deployments"). */
export function builtinResource(name: string): ResourceDefinition {
  const [plural, group = ""] = name.split("/").toReversed();
  const definition = builtinResources().find((one) => one.plural === plural && one.group === group);
  if (definition === undefined) throw new Error(`No resource ${name}`);
  return definition;
}

/** Returns the row of an object as printed by `kubectl get`; all columns with `-o wide`. */
export function row(
  name: string,
  object: object,
  options: { readonly wide?: boolean } = {},
): string {
  const columns = builtinResource(name).versions[0]?.columns ?? [];
  const filled: ApiObject = { metadata: { name: "x", creationTimestamp: created }, ...object };
  return columns
    .filter(({ priority }) => priority === 0 || options.wide === true)
    .map((column) => String(cellReader(column)(filled, now)))
    .join(" | ");
}
