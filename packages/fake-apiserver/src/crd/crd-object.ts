import { asJsonObject, isJsonObject, type JsonObject } from "../json.ts";

/** Name of the definitions' own resource in storage. */
export const crdResource = "customresourcedefinitions.apiextensions.k8s.io";

/** `spec.names` of a CustomResourceDefinition, with its defaults. */
export interface CrdNames {
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

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

/** The value if it is a text, else "". */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The texts in an array. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
