import { asJsonObject, isJsonObject, textOf, textsOf, type JsonObject } from "../base/json.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";

/** Name of the definitions' own resource in storage. */
export const crdResource = "customresourcedefinitions.apiextensions.k8s.io";

/** `spec.names` of a CustomResourceDefinition, with its defaults. */
export type CrdNames = Pick<
  ResourceDefinition,
  "plural" | "singular" | "kind" | "listKind" | "shortNames" | "categories"
>;

/** Reads `spec.names`. */
export function crdNames(spec: JsonObject): CrdNames {
  const names = asJsonObject(spec["names"]);
  const kind = textOf(names["kind"]);
  return {
    plural: textOf(names["plural"]),
    singular: textOf(names["singular"]) || kind.toLowerCase(),
    kind,
    listKind: textOf(names["listKind"]) || (kind === "" ? "" : `${kind}List`),
    shortNames: textsOf(names["shortNames"]),
    categories: textsOf(names["categories"]),
  };
}

/** `spec.versions`. */
export function crdVersions(spec: JsonObject): readonly JsonObject[] {
  const versions = spec["versions"];
  return Array.isArray(versions) ? versions.filter((version) => isJsonObject(version)) : [];
}
