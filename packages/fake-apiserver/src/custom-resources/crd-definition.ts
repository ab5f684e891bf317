import { asJsonObject, isJsonObject, textOf, type JsonObject } from "../base/json.ts";
import { compareVersions } from "../api/api-versions.ts";
import type { ResourceDefinition, ScalePaths, ServedVersion } from "../api/resource-definition.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { type AdditionalPrinterColumn, customResourceColumns } from "../kinds/columns.ts";
import { crdNames, crdVersions } from "./crd-object.ts";

/** What the server serves for a CustomResourceDefinition. */
export function definitionOf(crd: JsonObject): ResourceDefinition {
  const spec = asJsonObject(crd["spec"]);
  const versions = crdVersions(spec);
  const served = versions.filter((version) => version["served"] === true);
  const storage = versions.find((version) => version["storage"] === true);
  return {
    group: textOf(spec["group"]),
    ...crdNames(spec),
    namespaced: spec["scope"] === "Namespaced",
    custom: true,
    versions: served
      .map((version) => servedVersion(version))
      .toSorted((left, right) => compareVersions(left.name, right.name)),
    storageVersion: textOf(storage?.["name"]),
    unconditionalUpdate: false,
    createOnUpdate: false,
    hasGeneration: true,
    returnsDeletedObject: false,
    graceful: false,
  };
}

function servedVersion(version: JsonObject): ServedVersion {
  const subresources = asJsonObject(version["subresources"]);
  const schema = asJsonObject(version["schema"])["openAPIV3Schema"];
  const warning = version["deprecationWarning"];
  return {
    name: textOf(version["name"]),
    deprecated: version["deprecated"] === true,
    ...(typeof warning === "string" ? { deprecationWarning: warning } : {}),
    ...(isSchema(schema) ? { schema } : {}),
    columns: customResourceColumns(columnsOf(version["additionalPrinterColumns"])),
    selectableFields: pathsOf(version["selectableFields"]),
    status: isJsonObject(subresources["status"]),
    ...scaleOf(subresources["scale"]),
  };
}

// The schema was validated when the definition was accepted.
function isSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value);
}

function columnsOf(value: unknown): readonly AdditionalPrinterColumn[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => {
    const column = asJsonObject(entry);
    const priority = column["priority"];
    return {
      name: textOf(column["name"]),
      type: textOf(column["type"]),
      format: textOf(column["format"]),
      description: textOf(column["description"]),
      priority: typeof priority === "number" ? priority : 0,
      jsonPath: textOf(column["jsonPath"]),
    };
  });
}

function pathsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => textOf(asJsonObject(entry)["jsonPath"]).replace(/^\./, ""));
}

function scaleOf(value: unknown): { readonly scale?: ScalePaths } {
  if (!isJsonObject(value)) return {};
  const labelSelector = textOf(value["labelSelectorPath"]);
  return {
    scale: {
      specReplicas: textOf(value["specReplicasPath"]),
      statusReplicas: textOf(value["statusReplicasPath"]),
      ...(labelSelector === "" ? {} : { labelSelector }),
    },
  };
}
