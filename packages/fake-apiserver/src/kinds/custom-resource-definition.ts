import { type Kind, defineKind } from "./define-kind.ts";

/**
 * CustomResourceDefinition of apiextensions.k8s.io. What it makes the server do is in
 * `custom-resources/`.
 */
export const customResourceDefinitionKind: Kind = defineKind({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  shortNames: ["crd", "crds"],
  categories: ["api-extensions"],
  cluster: true,
  status: true,
  generation: true,
  strategy: ({ customResourceDefinitions }) => customResourceDefinitions,
  docs: {
    "apiextensions.CustomResourceDefinition": {
      description:
        "CustomResourceDefinition defines a resource that is served like the built-in ones.",
      fields: {
        spec: ["apiextensions.CustomResourceDefinitionSpec", "How the resource ought to appear."],
        status: ["object", "The current state of the definition."],
      },
      required: ["spec"],
    },
    "apiextensions.CustomResourceDefinitionSpec": {
      description: "CustomResourceDefinitionSpec describes how a resource ought to appear.",
      fields: {
        group: ["string", "The API group of the resource."],
        names: ["apiextensions.CustomResourceDefinitionNames", "The names of the resource."],
        scope: ["string", "Cluster or Namespaced."],
        versions: [
          "[]apiextensions.CustomResourceDefinitionVersion",
          "All versions of the resource.",
        ],
        conversion: ["object", "How objects are converted between versions."],
        preserveUnknownFields: ["boolean", "Deprecated: has to be false."],
      },
      required: ["group", "names", "scope", "versions"],
    },
    "apiextensions.CustomResourceDefinitionNames": {
      description: "The names of a custom resource.",
      fields: {
        plural: ["string", "The name in paths, in lower case."],
        singular: ["string", "The singular name, in lower case."],
        kind: ["string", "The kind, in CamelCase."],
        listKind: ["string", "The kind of lists. Defaults to the kind and List."],
        shortNames: ["[]string", "Short names, in lower case."],
        categories: ["[]string", "Groups of resources it belongs to, such as all."],
      },
      required: ["plural", "kind"],
    },
    "apiextensions.CustomResourceDefinitionVersion": {
      description: "A version of a custom resource.",
      fields: {
        name: ["string", "The name of the version."],
        served: ["boolean", "Whether the version is served."],
        storage: ["boolean", "Whether objects are stored in this version; true for exactly one."],
        schema: ["object", "The schema of the version, for validation, pruning and defaults."],
        subresources: ["object", "The subresources of the version."],
        additionalPrinterColumns: ["[]object", "Columns of tables."],
        selectableFields: ["[]object", "Fields that may be used in field selectors."],
        deprecated: ["boolean", "Whether the version is deprecated; requests get a warning."],
        deprecationWarning: ["string", "The text of that warning."],
      },
      required: ["name", "served", "storage"],
    },
  },
});
