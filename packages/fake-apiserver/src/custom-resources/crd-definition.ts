import {
  isRecord,
  recordOf,
  stringOf,
  stringsOf,
  type JsonObject,
} from "@listwatch/core-fifo/base";
import { compareVersions } from "../api/api-versions.ts";
import type {
  ResourceDefinition,
  ScalePaths,
  SelectableField,
  ServedVersion,
} from "../api/resource-definition.ts";
import { isJsonSchema } from "../schema/schema-types.ts";
import { type AdditionalPrinterColumn, customResourceColumns } from "../kinds/columns.ts";
import { crdNames, crdVersions } from "./crd-object.ts";

/** Returns the resource that the server serves for a CustomResourceDefinition. */
export function definitionOf(crd: JsonObject): ResourceDefinition {
  const spec = recordOf(crd["spec"]);
  const versions = crdVersions(spec);
  const served = versions.filter((version) => version["served"] === true);
  const storage = versions.find((version) => version["storage"] === true);
  return {
    group: stringOf(spec["group"]),
    ...crdNames(spec),
    namespaced: spec["scope"] === "Namespaced",
    custom: true,
    versions: served
      .map((version) => servedVersion(version))
      .toSorted((left, right) => compareVersions(left.name, right.name)),
    storageVersion: stringOf(storage?.["name"]),
    unconditionalUpdate: false,
    createOnUpdate: false,
    hasGeneration: true,
    returnsDeletedObject: false,
    graceful: false,
    ...conversionOf(recordOf(spec["conversion"])),
  };
}

function conversionOf(
  conversion: JsonObject,
): Pick<ResourceDefinition, "conversionWebhook"> | undefined {
  if (conversion["strategy"] !== "Webhook") return undefined;
  const webhook = recordOf(conversion["webhook"]);
  const config = recordOf(webhook["clientConfig"]);
  const reviewVersions = stringsOf(webhook["conversionReviewVersions"]);
  return { conversionWebhook: { config, reviewVersions } };
}

function servedVersion(version: JsonObject): ServedVersion {
  const subresources = recordOf(version["subresources"]);
  const schema = recordOf(version["schema"])["openAPIV3Schema"];
  const warning = version["deprecationWarning"];
  return {
    name: stringOf(version["name"]),
    deprecated: version["deprecated"] === true,
    ...(typeof warning === "string" ? { deprecationWarning: warning } : {}),
    ...(isJsonSchema(schema) ? { schema } : {}),
    columns: customResourceColumns(columnsOf(version["additionalPrinterColumns"])),
    selectableFields: fieldsOf(version["selectableFields"]),
    status: isRecord(subresources["status"]),
    ...scaleOf(subresources["scale"]),
  };
}

function columnsOf(value: unknown): readonly AdditionalPrinterColumn[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => {
    const column = recordOf(entry);
    const priority = column["priority"];
    return {
      name: stringOf(column["name"]),
      type: stringOf(column["type"]),
      format: stringOf(column["format"]),
      description: stringOf(column["description"]),
      priority: typeof priority === "number" ? priority : 0,
      jsonPath: stringOf(column["jsonPath"]),
    };
  });
}

function fieldsOf(value: unknown): readonly SelectableField[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => ({
    path: stringOf(recordOf(entry)["jsonPath"]).replace(/^\./, ""),
  }));
}

function scaleOf(value: unknown): { readonly scale?: ScalePaths } {
  if (!isRecord(value)) return {};
  const labelSelector = stringOf(value["labelSelectorPath"]);
  return {
    scale: {
      specReplicas: stringOf(value["specReplicasPath"]),
      statusReplicas: stringOf(value["statusReplicasPath"]),
      ...(labelSelector === "" ? {} : { labelSelector }),
    },
  };
}
