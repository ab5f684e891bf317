import { describeValue, isRecord, recordOf } from "@listwatch/core-fifo/base";
import { readSchema, wrongField, type Schema } from "./read-schema.ts";

/** A served version of a custom resource. */
export interface DefinitionVersion {
  readonly name: string;
  readonly schema: Schema;
  readonly subresources: readonly string[];
}

/** The part of a CustomResourceDefinition that determines types and handle. */
export interface CustomResourceDefinition {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly shortNames: readonly string[];
  /** The served versions, in the order of the definition. */
  readonly versions: readonly DefinitionVersion[];
}

/**
 * Returns the CustomResourceDefinitions of parsed documents, sorted by name. Of definitions with
 * the same name the last one counts. Lists are expanded; objects of other kinds are ignored.
 *
 * @throws {TypeError} if a definition has another version than apiextensions.k8s.io/v1, lacks a
 *   required member, or has an invalid schema
 */
export function readDefinitions(documents: readonly unknown[]): CustomResourceDefinition[] {
  const found = new Map<string, CustomResourceDefinition>();
  for (const document of documents.flatMap(itemsOf)) {
    const { apiVersion, kind } = recordOf(document);
    if (kind !== "CustomResourceDefinition") continue;
    if (apiVersion !== "apiextensions.k8s.io/v1") {
      throw new TypeError(
        "Cannot read a CustomResourceDefinition: expected apiVersion apiextensions.k8s.io/v1, " +
          `got ${describeValue(apiVersion)}`,
      );
    }
    const definition = readDefinition(recordOf(document));
    found.set(`${definition.plural}.${definition.group}`, definition);
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, definition]) => definition);
}

/** Returns the objects of a document. The items of a list may lack their kind. */
function itemsOf(document: unknown): unknown[] {
  if (!isRecord(document) || !Array.isArray(document["items"])) return [document];
  const { apiVersion, items, kind } = document;
  if (kind !== "CustomResourceDefinitionList") return items;
  const type = { apiVersion, kind: "CustomResourceDefinition" };
  return items.map((item) => Object.assign({}, type, recordOf(item)));
}

function readDefinition(document: Readonly<Record<string, unknown>>): CustomResourceDefinition {
  const name = String(recordOf(document["metadata"])["name"]);
  const spec = recordOf(document["spec"]);
  const names = recordOf(spec["names"]);
  const scope = spec["scope"];
  if (scope !== "Namespaced" && scope !== "Cluster") {
    throw missing(name, "spec.scope", '"Namespaced" or "Cluster"', scope);
  }
  const versions = spec["versions"];
  if (!Array.isArray(versions)) throw missing(name, "spec.versions", "a list", versions);
  return {
    group: textOf(name, "spec.group", spec["group"]),
    plural: textOf(name, "spec.names.plural", names["plural"]),
    kind: textOf(name, "spec.names.kind", names["kind"]),
    scope,
    shortNames: Array.isArray(names["shortNames"]) ? names["shortNames"].map(String) : [],
    versions: versions
      .map(recordOf)
      .filter(({ served }) => served === true)
      .map((version) => readVersion(name, version)),
  };
}

function readVersion(
  definition: string,
  version: Readonly<Record<string, unknown>>,
): DefinitionVersion {
  const name = textOf(definition, "spec.versions[].name", version["name"]);
  const path = `spec.versions.${name}.schema.openAPIV3Schema`;
  const schema = recordOf(version["schema"])["openAPIV3Schema"] ?? {};
  return {
    name,
    schema: readSchema(schema, { definition, path, outer: [] }),
    subresources: Object.keys(recordOf(version["subresources"])).toSorted(),
  };
}

function textOf(definition: string, field: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw missing(definition, field, "a text", value);
}

function missing(definition: string, field: string, expected: string, value: unknown): TypeError {
  return wrongField(definition, field, expected, describeValue(value));
}
