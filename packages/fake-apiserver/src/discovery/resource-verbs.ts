import { compareBytes } from "../base/go-text.ts";
import type { ResourceDefinition, ServedVersion, Subresource } from "../api/resource-definition.ts";

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
const partVerbs: readonly string[] = ["get", "patch", "update"];
const scale: Subresource = {
  name: "scale",
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  verbs: partVerbs,
};

/**
 * All subresources of a resource in one of its versions: status first for custom resources, in
 * alphabetical order for built-in ones.
 */
export function subresourcesOf(custom: boolean, served: ServedVersion): readonly Subresource[] {
  const all: readonly Subresource[] = [
    ...(served.status ? [{ name: "status", verbs: partVerbs }] : []),
    ...(served.scale === undefined ? [] : [scale]),
    ...(served.subresources ?? []),
  ];
  return custom ? all : all.toSorted((left, right) => compareBytes(left.name, right.name));
}

/** The verbs of a resource in discovery. */
export function resourceVerbs(definition: ResourceDefinition): readonly string[] {
  return definition.verbs ?? (definition.custom ? customVerbs : builtinVerbs);
}
