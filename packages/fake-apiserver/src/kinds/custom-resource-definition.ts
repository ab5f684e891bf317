import type { ApiObject } from "../api/api-object.ts";
import { flag, objects, text, texts } from "../base/read-fields.ts";
import { builtinColumn, createdAtColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/**
 * CustomResourceDefinition of apiextensions.k8s.io. What it makes the server do is in
 * `custom-resources/`.
 */
export const customResourceDefinitionKind: Kind = defineKind({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  storageHashVersion: "v1beta1",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  cluster: true,
  status: true,
  generation: true,
  strategy: ({ customResourceDefinitions }) => customResourceDefinitions,
  columns: [
    builtinColumn("Scope", ({ spec }) => text(spec, "scope")),
    builtinColumn("Versions", servedVersions),
    createdAtColumn,
    builtinColumn("Group", ({ spec }) => text(spec, "group"), { wide: true }),
    builtinColumn("Kind", ({ spec }) => text(spec, "names", "kind"), {
      wide: true,
    }),
    builtinColumn("ShortNames", ({ spec }) => texts(spec, "names", "shortNames").join(","), {
      wide: true,
    }),
    builtinColumn("Established", isEstablished, {
      type: "boolean",
      wide: true,
    }),
  ],
});

function servedVersions({ spec }: ApiObject): string {
  return objects(spec, "versions")
    .filter((version) => flag(version, "served"))
    .map((version) => `${text(version, "name")}${flag(version, "storage") ? "(storage)" : ""}`)
    .toSorted()
    .join(",");
}

function isEstablished({ status }: ApiObject): boolean {
  return objects(status, "conditions").some(
    (condition) => condition["type"] === "Established" && condition["status"] === "True",
  );
}
