import {
  isRecord,
  recordOf,
  stringOf,
  stringsOf,
  type JsonObject,
} from "@listwatch/core-fifo/base";
import type { ResourceDefinition } from "../api/resource-definition.ts";

/** Storage name of the definitions' resource. */
export const crdResource = "customresourcedefinitions.apiextensions.k8s.io";

/** `spec.names` of a CustomResourceDefinition with its defaults. */
export type CrdNames = Pick<
  ResourceDefinition,
  "plural" | "singular" | "kind" | "listKind" | "shortNames" | "categories"
>;

export function crdNames(spec: JsonObject): CrdNames {
  const names = recordOf(spec["names"]);
  const kind = stringOf(names["kind"]);
  return {
    plural: stringOf(names["plural"]),
    singular: stringOf(names["singular"]) || kind.toLowerCase(),
    kind,
    listKind: stringOf(names["listKind"]) || (kind === "" ? "" : `${kind}List`),
    shortNames: stringsOf(names["shortNames"]),
    categories: stringsOf(names["categories"]),
  };
}

/** Returns `spec.versions`. */
export function crdVersions(spec: JsonObject): readonly JsonObject[] {
  const versions = spec["versions"];
  return Array.isArray(versions) ? versions.filter((version) => isRecord(version)) : [];
}
