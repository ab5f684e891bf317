import { compareBytes } from "../base/go-text.ts";
import type { ResourceDefinition, ServedVersion, Subresource } from "../api/resource-definition.ts";

/** The two handlers of the real server order verbs differently, which clients can see. */
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

const partVerbs: readonly string[] = ["get", "patch", "update"];
const scale: Subresource = {
  name: "scale",
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  verbs: partVerbs,
};

/**
 * Returns the subresources of a version: status first for custom resources, in alphabetical order
 * for built-in ones.
 */
export function subresourcesOf(custom: boolean, served: ServedVersion): readonly Subresource[] {
  const all: readonly Subresource[] = [
    ...(served.status ? [{ name: "status", verbs: partVerbs }] : []),
    ...(served.scale === undefined ? [] : [scale]),
    ...(served.subresources ?? []),
  ];
  return custom ? all : all.toSorted((left, right) => compareBytes(left.name, right.name));
}

/** Returns the verbs of a resource in discovery. */
export function resourceVerbs(definition: ResourceDefinition): readonly string[] {
  return definition.verbs ?? (definition.custom ? customVerbs : builtinVerbs);
}
