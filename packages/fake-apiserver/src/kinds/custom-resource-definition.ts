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
});
