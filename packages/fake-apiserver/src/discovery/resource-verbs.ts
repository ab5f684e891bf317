import type { ResourceDefinition } from "../api/resource-definition.ts";

/** The order differs between the two handlers of the real server; clients see it. */
const customVerbs = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];
const builtinVerbs = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** Verbs of the status and scale subresources. */
export const subresourceVerbs: readonly string[] = ["get", "patch", "update"];

/** The verbs of a resource in discovery. */
export function resourceVerbs(definition: ResourceDefinition): readonly string[] {
  return definition.custom ? customVerbs : builtinVerbs;
}
